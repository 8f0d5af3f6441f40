import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { Canceller } from '@countersign/service/cancellation';
import { createLogger } from '@countersign/service/logger';
import { systemTimers } from '@countersign/service/timers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import { entryAt } from '../../test/state-contract.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Facts } from '../payment/facts.ts';
import { openEnvironment } from '../state/environment.ts';
import { openLmdbState } from '../state/lmdb.ts';
import type { GatewayState } from '../state/state.ts';
import { Calls } from './calls.ts';
import type { Work } from './run.ts';

let ids = 0;
const clock = 1_000_000_000_000;
const now = () => clock;
let open: () => GatewayState;

beforeEach(() => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-calls-'));
  const environment = openEnvironment(dir);
  open = () => openLmdbState(environment, 'wallet', now, () => `id${++ids}`);
  onTestFinished(async () => {
    await environment.close();
    rmSync(dir, { recursive: true });
  });
});

const facts = {
  payer: '0x',
  compliance: {},
  assurance: {},
  demand: { by: {}, token: {}, cart: {}, offer: {}, requirement: {}, accepted: {}, amount: 1n, units: 1n },
} as unknown as Facts;

/** One process; `answer` is what becomes of a payment that it has sent. */
function processWith(answer: () => Promise<GatewayEnvelope>) {
  const state = open();
  const log = createLogger('calls', 'silent');
  const calls = new Calls({
    state,
    now,
    timers: systemTimers,
    isFree: () => false,
    process: `p${++ids}`,
    log,
  });
  onTestFinished(() => calls.close());
  const sent: string[] = [];
  const work: Work = async (call) => {
    const { asker, orphan } = call;
    const entry: PaymentEntry =
      (orphan && (await state.paymentBy(orphan.nonce))) ??
      entryAt(clock, `of ${call.traceId}`, asker && { asker });
    await state.openPayment(entry, null, null);
    call.onSent?.(entry, facts);
    sent.push(entry.nonce);
    return answer();
  };
  const run = (traceId: string) => calls.run({ ...blank, traceId, signal: new Canceller() }, work);
  return { state, run, sent, close: () => calls.close() };
}

const blank = {
  agent: null,
  serviceId: 'shop',
  toolName: 'sell',
  arguments: {},
  onProgress: () => {},
} as unknown as ToolCall;
const refused = { code: 'PAYMENT_REJECTED', detail: { paymentMade: false } } as GatewayEnvelope;

test('whoever was told that a payment was refused is not asked to send it again, here or elsewhere', async () => {
  const one = processWith(async () => refused);
  await one.run('a');
  await one.run('b');
  const two = processWith(async () => refused);
  await two.run('c');
  expect([one.sent, two.sent]).toEqual([['of a', 'of b'], ['of c']]);
  expect((await two.state.unresolved()).map(({ asker }) => asker)).toEqual([undefined, undefined, undefined]);
});

test('a call that ended without an answer leaves its payment to the next one, here or elsewhere', async () => {
  const one = processWith(() => Promise.reject(new Error('no state')));
  await expect(one.run('a')).rejects.toThrow('no state');
  await expect(one.run('b')).rejects.toThrow('no state');
  const two = processWith(async () => refused);
  await two.run('c');
  await two.run('d');
  expect([one.sent, two.sent]).toEqual([
    ['of a', 'of a'],
    ['of a', 'of d'],
  ]);
});
