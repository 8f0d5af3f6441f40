import { type GatewayProcess, startGatewayProcess } from '@countersign/local/gateway-process';
import { newPrivateKey } from '@countersign/local/market';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RawService, type Reply, startRawService } from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';

/** Keeps every call until it is let go, and is silent to everything when it is dead. */
let bad: RawService;
let dead = false;
let inBad = 0;
let maxInBad = 0;
let held: Reply[] | null = [];
let good: RawService;
let gateways: GatewayProcess[] = [];

async function startGateway(timeoutMs: number): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: `bad=${bad.url},good=${good.url}`,
    DOWNSTREAM_TIMEOUT_MS: String(timeoutMs),
  });
  gateways.push(gateway);
  await gateway.agent.list();
  return gateway;
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
      maxInBad = Math.max(maxInBad, inBad);
      if (held === null) letGo(reply);
      else held.push(reply);
    },
  });
  good = await startRawService({ call: (_, reply) => reply.text('hello') });
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  gateways = [];
});
afterAll(() => Promise.all([bad?.stop(), good?.stop()]));

const call = ({ agent }: GatewayProcess, serviceId: string) => agent.call({ serviceId, toolName: 'echo' });
const timed = async (gateway: GatewayProcess, serviceId: string) => {
  const began = performance.now();
  const { code } = await call(gateway, serviceId);
  return { code, ms: performance.now() - began };
};

/** Half of the calls to the good service through each take less than that. In turn, so that the machine is as busy for one as for the other. */
async function p50(
  ...through: readonly [GatewayProcess, GatewayProcess]
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < 60; n++) {
    times[0].push((await timed(through[0], 'good')).ms);
    times[1].push((await timed(through[1], 'good')).ms);
  }
  const [one, other] = times.map((all) => all.toSorted((a, b) => a - b)[30] ?? Number.NaN);
  return [one ?? Number.NaN, other ?? Number.NaN];
}

test('a service that hangs, with hundreds of calls in it, does not slow another one down', async () => {
  // Longer than the test: no call ends by the clock.
  const gateway = await startGateway(600_000);
  const undisturbed = await startGateway(600_000);
  const hanging = Array.from({ length: 400 }, () => call(gateway, 'bad'));
  await until(
    async () => bad.calls.length,
    (n) => n === 128,
  );
  const [beside, alone] = await p50(gateway, undisturbed);
  expect(beside).toBeLessThan(alone * 3 + 10);
  // No more than this many are in it at once; the others wait for their turn.
  expect(bad.calls.length).toBe(128);
  const waiting = held ?? [];
  held = null;
  for (const reply of waiting) letGo(reply);
  const codes = (await Promise.all(hanging)).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set(['SUCCESS']));
  expect(bad.calls.length).toBe(400);
  expect(maxInBad).toBe(128);
});

test('a service that is dead costs its callers a time-out each only until that is noticed, and is back with its first answer', async () => {
  held = [];
  const timeoutMs = 1500;
  const gateway = await startGateway(timeoutMs);
  dead = true;
  const codes: string[] = [];
  const last = await until(
    async () => {
      const { length } = bad.calls;
      const answer = await timed(gateway, 'bad');
      codes.push(answer.code);
      return { ...answer, wasAsked: bad.calls.length > length };
    },
    ({ code, wasAsked }) => code === 'DOWNSTREAM_UNAVAILABLE' && !wasAsked,
  );
  expect(last.ms).toBeLessThan(timeoutMs);
  expect(codes.filter((code) => code === 'DOWNSTREAM_TIMEOUT').length).toBeLessThanOrEqual(6);
  expect((await timed(gateway, 'good')).code).toBe('SUCCESS');
  dead = false;
  // Its tool still hangs, but it answers: calls are sent again.
  const before = bad.calls.length;
  await until(
    () => call(gateway, 'bad'),
    () => bad.calls.length > before,
  );
});
