import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Gateway } from './app.ts';
import type { Telling } from './http/server.ts';

/** Readiness and metrics of a running gateway. Not ready means: some service or the dashboard does not answer. */
export function tellOf(gateway: Gateway): Telling {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
  return {
    async ready() {
      const services = gateway.services.statuses();
      const dashboard = await gateway.dashboardAnswers();
      return {
        ready: dashboard === 'ok' && services.every(({ status }) => status === 'connected'),
        report: { dashboard, services },
      };
    },
    metrics: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
