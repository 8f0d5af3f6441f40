import { expect, test } from 'vitest';
import { challenge } from '../../test/mpp.ts';
import { asksFor, goodAnswers, portsWith } from '../../test/paying-ports.ts';
import { call, merchant, now } from '../../test/samples.ts';
import type { HeldFor } from '../ports/dashboard.ts';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import { callAndPay } from './call-and-pay.ts';

const receipts = {
  configuration: { hash: '' },
  append: async () => null,
} as unknown as GatewayPorts['receipts'];

test.each([
  ['the dashboard says, of a hold that was placed before', now + 5_000, now + 4_000],
  ['the gateway has asked for, at most', now + 3_600_000, now + 119_000],
  ['the gateway has asked for, by a dashboard whose clock is ahead', now + 120_900, now + 119_000],
])(
  'a payment counts as held for as long as %s, less a second by which the clocks may differ [gateway.paying.hold.until]',
  async (_, until, heldUntil) => {
    const ports = portsWith({ ...(await goodAnswers()), hold: { kind: 'held', until } }, receipts);
    const journaled: unknown[] = [];
    const openPayment: GatewayPorts['state']['openPayment'] = (entry, ...rest) => {
      journaled.push(entry.heldUntil);
      return ports.state.openPayment(entry, ...rest);
    };
    await callAndPay({ ...ports, state: { ...ports.state, openPayment } }, call());
    expect(journaled).toEqual([heldUntil]);
  },
);

test.each([
  ['without a key', undefined],
  ['under a key', 'K'],
])(
  'where the journal has no room, a call %s gives its hold back, for itself alone [gateway.paying.hold.given-back]',
  async (_, idempotencyKey) => {
    const ports = portsWith({ ...(await goodAnswers()), journal: 'over-budget' }, receipts);
    const placed: unknown[] = [];
    const released: unknown[] = [];
    const holds: GatewayPorts['holds'] = {
      place: (hold, span) => {
        placed.push({ holdId: hold.holdId, holder: hold.holder });
        return ports.holds.place(hold, span);
      },
      release: async (hold) => void released.push(hold),
    };
    const asked = call({ idempotencyKey });
    await callAndPay({ ...ports, holds }, asked);
    expect(placed).toEqual([{ holdId: expect.stringMatching(/^hld_/), holder: asked.traceId }]);
    expect(released).toEqual(placed);
  },
);

test('a challenge that another decision has paid is not paid again, and its hold is given back [gateway.mpp.once-a-challenge]', async () => {
  const asked = asksFor({ challenges: [challenge()], receivedAt: new Date().toISOString() });
  const ports = portsWith({ ...(await goodAnswers()), asked }, receipts);
  const journaled: PaymentEntry[] = [];
  const released: string[] = [];
  let sent = 0;
  const state: GatewayPorts['state'] = {
    ...ports.state,
    openPayment: async (entry) => {
      const [first] = journaled;
      journaled.push(entry);
      return first === undefined ? { kind: 'opened' } : { kind: 'known', entry: first };
    },
  };
  const holds = { ...ports.holds, release: async ({ holdId }: HeldFor) => void released.push(holdId) };
  const services: GatewayPorts['services'] = {
    ...ports.services,
    callPaid: (...payment) => {
      sent += 1;
      return ports.services.callPaid(...payment);
    },
  };
  const buy = (traceId: string) => callAndPay({ ...ports, state, holds, services }, call({ traceId }));
  expect(await buy('one')).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentContext: { payTo: merchant.address } },
  });
  expect(await buy('two')).toMatchObject({ code: 'PAYMENT_UNSUPPORTED', detail: { paymentMade: false } });
  const [first, second] = journaled.map(({ nonce, decision }) => ({ nonce, decision }));
  expect(second?.nonce).toBe(first?.nonce);
  expect(second?.decision).not.toBe(first?.decision);
  expect(sent).toBe(1);
  expect(released).toEqual([`hld_${second?.decision?.slice(2)}`]);
});
