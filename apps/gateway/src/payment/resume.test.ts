import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { goodAnswers, portsWith } from '../../test/paying-ports.ts';
import { entryAt } from '../../test/state-contract.ts';
import { amount, call, now, signedMandate } from '../../test/samples.ts';
import { callAndPay } from './call-and-pay.ts';
import { hashCall, nameCall } from './payment.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { StatePort } from '../ports/state.ts';
import { openEnvironment } from '../state/environment.ts';
import { openLmdbState } from '../state/lmdb.ts';

const again = call({ idempotencyKey: 'one purchase' });
const earlier = entryAt(now - 60_000, '0x01', { callKey: nameCall(again), callHash: hashCall(again) });
const receipts = {
  configuration: { hash: '' },
  append: async () => null,
} as unknown as GatewayPorts['receipts'];

let state: StatePort;
let sent: object[];

beforeEach(async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-resume-'));
  const environment = openEnvironment(dir);
  state = openLmdbState(environment, 'wallet', () => now, String);
  sent = [];
  onTestFinished(async () => {
    await environment.close();
    rmSync(dir, { recursive: true });
  });
  await state.openPayment(earlier, null, null);
});

/** Makes the call again while nothing is left of the budget. `step` is what happens once it has found its payment. */
async function callAgain(step: Partial<StatePort>) {
  const mandate = { kind: 'found', mandate: await signedMandate({ remainingBudget: amount('0') }) } as const;
  const ports = portsWith({ ...(await goodAnswers()), mandate }, receipts);
  const { services } = ports;
  const callPaid: typeof services.callPaid = (about, payload) => {
    sent.push(payload);
    return services.callPaid(about, payload);
  };
  return callAndPay(
    {
      ...ports,
      services: { ...services, callPaid },
      state: { ...state, ...step },
      wallet: { ...ports.wallet, derive: () => '0x01' },
    },
    again,
  );
}

test('the same key sends its payment of unknown outcome again, whatever is left of the budget', async () => {
  expect(await callAgain({})).toMatchObject({ code: 'SUCCESS' });
  expect(sent).toEqual([earlier.payload]);
});

test('a payment that is given up after it was found is judged against the budget anew [gateway.paying.resume-given-up]', async () => {
  let looks = 0;
  const paymentOf: StatePort['paymentOf'] = async (callKey) => {
    const found = await state.paymentOf(callKey);
    looks += 1;
    // The reconciler of this or of another process.
    if (looks === 1) await state.resolveUnused(earlier);
    return found;
  };
  expect(await callAgain({ paymentOf })).toMatchObject({ code: 'WALLET_APPROVAL_REQUIRED' });
  expect({ sent, unresolved: await state.unresolved() }).toEqual({ sent: [], unresolved: [] });
});

test('so is one that is given up as it is about to be sent [gateway.paying.resume-given-up]', async () => {
  const findKnown: StatePort['findKnown'] = async (entry) => {
    await state.resolveUnused(earlier);
    return state.findKnown(entry);
  };
  expect(await callAgain({ findKnown })).toMatchObject({ code: 'WALLET_APPROVAL_REQUIRED' });
  expect({ sent, unresolved: await state.unresolved() }).toEqual({ sent: [], unresolved: [] });
});

test('and what another process has opened under its nonce by then stays in the journal [gateway.paying.resume-given-up]', async () => {
  const opened = { ...earlier, openedAt: now, payload: { opened: 'anew' } };
  let isLate = true;
  /** Whatever the journal is asked first: its answer is long under way. */
  const late =
    <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      if (!isLate) return ask(...asked);
      isLate = false;
      await state.resolveUnused(earlier);
      const answer = await ask(...asked);
      await state.resolveUnused(earlier);
      await state.openPayment(opened, null, null);
      return answer;
    };
  const { openPayment, findKnown } = state;
  await callAgain({ openPayment: late(openPayment), findKnown: late(findKnown) });
  expect(await state.unresolved()).toEqual([opened]);
  expect(sent).toEqual([opened.payload]);
});
