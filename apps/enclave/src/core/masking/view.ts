import { newToken, type Readers, type Token } from './decoders.ts';

/** Text as bytes, each with the span of the source from which it came, so that what is found decoded is masked encoded. */
export type View = {
  readonly bytes: Uint8Array;
  /** Offsets into the bytes of the source, the end exclusive. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
};

export function viewOf(bytes: Uint8Array): View {
  const starts = new Uint32Array(bytes.length);
  const ends = new Uint32Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    starts[i] = i;
    ends[i] = i + 1;
  }
  return { bytes, starts, ends };
}

export function emptyView(length: number): View {
  return {
    bytes: new Uint8Array(length),
    starts: new Uint32Array(length),
    ends: new Uint32Array(length),
  };
}

/** A view of the same length, so far the same in its first bytes. */
export function copyOf({ bytes, starts, ends }: View, first: number): View {
  const copy = emptyView(bytes.length);
  copy.bytes.set(bytes.subarray(0, first));
  copy.starts.set(starts.subarray(0, first));
  copy.ends.set(ends.subarray(0, first));
  return copy;
}

export const firstOf = ({ bytes, starts, ends }: View, length: number): View => ({
  bytes: bytes.subarray(0, length),
  starts: starts.subarray(0, length),
  ends: ends.subarray(0, length),
});

/** Everything encoded is decoded once; null when nothing was. No reader makes more bytes of a token than it took. */
export function decodeOnce(view: View, { signs, read }: Readers): View | null {
  const { bytes, starts, ends } = view;
  if (!signs.some((sign) => bytes.includes(sign))) return null;
  const begins = new Uint8Array(256);
  for (const sign of signs) begins[sign] = 1;
  // Most texts have signs and nothing that they begin: no memory before something is decoded.
  let decoded: View | null = null;
  const token = newToken();
  let size = 0;
  for (let i = 0; i < bytes.length; ) {
    const length = begins[bytes[i] as number] === 1 ? read(bytes, i, token) : 0;
    if (length > 0) {
      if (decoded === null) size = i;
      decoded ??= copyOf(view, i);
      size = writeToken(token, decoded, size, starts[i] as number, ends[i + length - 1] as number);
      i += length;
      continue;
    }
    if (decoded !== null) {
      decoded.bytes[size] = bytes[i] as number;
      decoded.starts[size] = starts[i] as number;
      decoded.ends[size++] = ends[i] as number;
    }
    i += 1;
  }
  return decoded === null ? null : firstOf(decoded, size);
}

/** Gives the size of the view with it. */
function writeToken(token: Token, into: View, size: number, start: number, end: number): number {
  for (let k = 0; k < token.size; k++) {
    into.bytes[size + k] = token.bytes[k] ?? 0;
    into.starts[size + k] = start;
    into.ends[size + k] = end;
  }
  return size + token.size;
}
