import { expect, test } from 'vitest';
import type { Gateway } from './app.ts';
import { tellOf } from './telling.ts';

const services = [{ serviceId: 'desk', status: 'connected' }];
const gatewayWith = (catalogues: readonly object[]) =>
  ({
    services: { statuses: () => services },
    dashboardAnswers: async () => 'ok',
    catalogues: () => catalogues,
  }) as unknown as Gateway;

test('a catalogue that cannot be read is told, and keeps no gateway from being ready [gateway.discovery.harmless]', async () => {
  const discovery = [{ url: 'http://127.0.0.1:1/', status: 'unavailable' }];
  expect(await tellOf(gatewayWith(discovery)).ready()).toEqual({
    ready: true,
    report: { dashboard: 'ok', services, discovery },
  });
});

test('without DISCOVERY_URLS nothing is told of catalogues', async () => {
  const { report } = await tellOf(gatewayWith([])).ready();
  expect(report).toEqual({ dashboard: 'ok', services });
});
