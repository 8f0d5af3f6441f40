import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Kubelet, type LifeCycle, type Probe } from './kubelet.ts';

let answer = 200;
const server = createServer((_, response) => void response.writeHead(answer).end());
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
});
afterAll(() => void server.close());
beforeEach(() => {
  answer = 200;
});

const probe = (ask: Probe['ask'] = { url }): Probe => ({
  ask,
  periodMs: 1,
  timeoutMs: 1000,
  failureThreshold: 3,
});
const life = (own: Partial<LifeCycle> = {}): LifeCycle => ({
  startup: null,
  liveness: null,
  readiness: null,
  preStop: null,
  graceMs: 1000,
  ...own,
});

test('three failures in a row are a restart, and fewer are none [system.deploy.chart.life]', async () => {
  const failing = { count: 0 };
  const kubelet = new Kubelet(async () => {
    failing.count += 1;
    return failing.count !== 2 && failing.count < 5;
  });
  await kubelet.attend('a', life({ liveness: probe({ exec: ['probe'] }) }));
  await expect.poll(() => kubelet.tally.restarts).toEqual(['a']);
  await kubelet.stop();
  expect(failing.count).toBeGreaterThanOrEqual(7);
  expect(kubelet.tally.unanswered).toBeGreaterThanOrEqual(4);
});

test('what is not ready gets no work, and what is told to end none from that moment, before preStop [system.deploy.chart.life]', async () => {
  const order: string[] = [];
  const kubelet = new Kubelet(async (name, argv) => {
    order.push(`${argv.join(' ')}, ${kubelet.isServing(name) ? 'serving' : 'not serving'}`);
    return true;
  });
  const lifeCycle = life({ startup: probe(), readiness: probe(), preStop: ['sleep', '5'] });
  await kubelet.attend('a', lifeCycle);
  expect([kubelet.isServing('a'), kubelet.isServing('b')]).toEqual([true, false]);
  answer = 503;
  await expect.poll(() => kubelet.isServing('a')).toBe(false);
  answer = 200;
  await expect.poll(() => kubelet.isServing('a')).toBe(true);
  const left = await kubelet.beforeStop('a');
  expect(order).toEqual(['sleep 5, not serving']);
  expect([left <= 1000, kubelet.isServing('a')]).toEqual([true, false]);
});

test('a start that takes longer than its probe allows, and a preStop that fails, end the rehearsal [system.deploy.chart.life]', async () => {
  const kubelet = new Kubelet(async () => false);
  answer = 500;
  await expect(kubelet.attend('slow', life({ startup: probe() }))).rejects.toThrow(
    'slow did not start within 3 probes',
  );
  await kubelet.attend('a', life({ preStop: ['sleep', '5'] }));
  await expect(kubelet.beforeStop('a')).rejects.toThrow('preStop of a failed: sleep 5');
});
