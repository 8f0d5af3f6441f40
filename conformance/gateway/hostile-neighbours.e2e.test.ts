import { type GatewayProcess, startGatewayProcess } from '@countersign/local/gateway-process';
import { newPrivateKey } from '@countersign/local/market';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RawService, type Reply, startRawService } from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';

/** Keeps every call until it is let go, and is silent to everything when it is dead. */
let bad: RawService;
let dead = false;
let inBad = 0;
let mostInBad = 0;
let held: Reply[] | null = [];
let good: RawService;
let gateway: GatewayProcess;

async function startGateway(timeoutMs: number): Promise<void> {
  gateway = await startGatewayProcess({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: `bad=${bad.url},good=${good.url}`,
    DOWNSTREAM_TIMEOUT_MS: String(timeoutMs),
  });
  await gateway.agent.list();
}

function letGo(reply: Reply): void {
  inBad -= 1;
  reply.text('at last');
}

beforeAll(async () => {
  bad = await startRawService({
    first: () => dead,
    call(_, reply) {
      inBad += 1;
      mostInBad = Math.max(mostInBad, inBad);
      if (held === null) letGo(reply);
      else held.push(reply);
    },
  });
  good = await startRawService({ call: (_, reply) => reply.text('hello') });
});
afterEach(() => gateway?.stop());
afterAll(() => Promise.all([bad?.stop(), good?.stop()]));

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
  // Longer than the test: no call ends by the clock.
  await startGateway(120_000);
  const alone = await p50('good');
  const hanging = Array.from({ length: 400 }, () => call('bad'));
  await until(
    async () => bad.calls.length,
    (n) => n === 128,
  );
  const beside = await p50('good');
  expect(beside).toBeLessThan(alone * 3 + 10);
  // No more than this many are in it at once; the others wait for their turn.
  expect(bad.calls.length).toBe(128);
  const waiting = held ?? [];
  held = null;
  for (const reply of waiting) letGo(reply);
  const codes = (await Promise.all(hanging)).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set(['SUCCESS']));
  expect(bad.calls.length).toBe(400);
  expect(mostInBad).toBe(128);
});

test('a service that is dead costs its callers a time-out each only until that is noticed, and is back with its first answer', async () => {
  held = [];
  await startGateway(1500);
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
