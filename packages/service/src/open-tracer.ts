import type { Logger } from './logger.ts';
import { silentTracer, type Tracer } from './trace.ts';

/**
 * The traces of a service: exported by OpenTelemetry, which is loaded only then, or silent. The library itself reads
 * the `OTEL_*` variables that say where to and how.
 */
export async function openTracer(service: string, exported: boolean, log: Logger): Promise<Tracer> {
  if (!exported) return silentTracer;
  const { exportingTracer } = await import('./open-telemetry.ts');
  return exportingTracer(service, log);
}
