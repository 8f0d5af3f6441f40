/** In the place of the exporter of traces, which a verifier never asks for. */
export function exportingTracer(): never {
  throw new Error('a verifier exports no traces');
}
