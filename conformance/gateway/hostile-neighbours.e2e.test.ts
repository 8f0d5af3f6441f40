import { type GatewayProcess, startGatewayProcess } from '@countersign/local/gateway-process';
import { newPrivateKey } from '@countersign/local/market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawService, startRawService } from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';

/** Hangs on calls, and when it is dead, on everything. */
let bad: RawService;
let dead = false;
let good: RawService;
let gateway: GatewayProcess;
const timeoutMs = 1500;

beforeAll(async () => {
  bad = await startRawService({ first: () => dead, call: () => {} });
  good = await startRawService({ call: (_, reply) => reply.text('hello') });
  gateway = await startGatewayProcess({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: `bad=${bad.url},good=${good.url}`,
    DOWNSTREAM_TIMEOUT_MS: String(timeoutMs),
  });
  await gateway.agent.list();
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([bad?.stop(), good?.stop()]);
});

const call = (serviceId: string) => gateway.agent.call({ serviceId, toolName: 'echo' });
const timed = async (serviceId: string) => {
  const began = performance.now();
  const { code } = await call(serviceId);
  return { code, ms: performance.now() - began };
};

async function p50(serviceId: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 60; n++) times.push((await timed(serviceId)).ms);
  return times.toSorted((a, b) => a - b)[30] ?? Number.NaN;
}

test('a service that hangs, with hundreds of calls in it, does not slow another one down', async () => {
  const alone = await p50('good');
  const hanging = Array.from({ length: 400 }, () => call('bad'));
  // No more than this many reach it; the others wait for their turn in vain.
  await until(
    async () => bad.calls.length,
    (n) => n === 128,
  );
  const beside = await p50('good');
  expect(beside).toBeLessThan(alone * 3 + 10);
  const codes = (await Promise.all(hanging)).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set(['DOWNSTREAM_TIMEOUT']));
  expect(bad.calls.length).toBeLessThan(400);
});

test('a service that is dead costs its callers a time-out each only until that is noticed, and is back with its first answer', async () => {
  dead = true;
  const codes: string[] = [];
  const last = await until(
    async () => {
      const answer = await timed('bad');
      codes.push(answer.code);
      return answer;
    },
    ({ code, ms }) => code === 'DOWNSTREAM_UNAVAILABLE' && ms < 200,
    30_000,
  );
  expect(last.ms).toBeLessThan(200);
  expect(codes.filter((code) => code === 'DOWNSTREAM_TIMEOUT').length).toBeLessThanOrEqual(6);
  expect((await timed('good')).code).toBe('SUCCESS');
  dead = false;
  // Its tool still hangs, but it answers: calls are sent again.
  const before = bad.calls.length;
  await until(
    () => call('bad'),
    () => bad.calls.length > before,
    20_000,
  );
}, 90_000);
