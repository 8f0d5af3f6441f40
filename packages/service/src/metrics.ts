import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type HttpMetrics = {
  readonly observe: (facts: { method: string; route: string; status: number }, seconds: number) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** A number that is looked up whenever somebody asks for metrics. */
export type Reading = { readonly name: string; readonly help: string; readonly read: () => Promise<number> };

/** Metrics of one HTTP service in its own registry, so that several services in one process do not mix. */
export function createMetrics(service: string, readings: readonly Reading[] = []): HttpMetrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the answer, by route pattern',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  for (const { name, help, read } of readings) {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        this.set(await read());
      },
    });
    registry.registerMetric(gauge);
  }
  return {
    observe: (facts, seconds) => duration.observe(facts, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
