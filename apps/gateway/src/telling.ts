import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Gateway } from './app.ts';
import type { Telling } from './http/server.ts';

/** Readiness and metrics of a running gateway. Not ready means: some service or the dashboard does not answer. */
export function tellOf(gateway: Gateway): Telling {
  const registry = new Registry();
  const up = new Gauge({
    name: 'countersign_gateway_service_up',
    help: '1 while the service is connected',
    labelNames: ['service'],
    registers: [registry],
    collect() {
      // A service that has told its name is not listed under its address any more.
      up.reset();
      for (const { serviceId, status } of gateway.services.statuses())
        up.set({ service: serviceId }, status === 'connected' ? 1 : 0);
    },
  });
  const whole = Registry.merge([registry, ofProcess()]);
  return {
    async ready() {
      const services = gateway.services.statuses();
      const catalogues = gateway.catalogues();
      const dashboard = await gateway.dashboardAnswers();
      return {
        ready: dashboard === 'ok' && services.every(({ status }) => status === 'connected'),
        // Nothing but a shown price rests on a catalogue.
        report: { dashboard, services, ...(catalogues.length > 0 && { discovery: catalogues }) },
      };
    },
    metrics: async () => ({ contentType: whole.contentType, text: await whole.metrics() }),
  };
}

let measured: Registry | null = null;

/** Registers the process metrics once: each registration samples them a hundred times a second, for good. */
function ofProcess(): Registry {
  if (measured !== null) return measured;
  measured = new Registry();
  collectDefaultMetrics({ register: measured });
  return measured;
}
