import * as fc from 'fast-check';
import type { Address } from '@countersign/protocol/address';
import { expect } from 'vitest';
import { askedOf } from '../approvals.ts';
import { chainId, paymentOf } from '../dashboard.ts';
import { anyMandate, command, index, merchants, pick, services, tenth } from './command.ts';
import { noPolicy } from './policy.ts';
import * as reference from './reference.ts';
import type { Model, ModelMandate } from './reference.ts';
import { calls, post, type System, text } from './system.ts';

// What gateways do with a key of the account.

/** Tenths and, now and then, a last unit, so that budgets are met exactly, missed by one and passed by one. */
const amount = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom(0n, 0n, 0n, 1n))
  .map(([tenths, last]) => BigInt(tenths) * tenth + last);
const holdId = fc.constantFrom('h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8');
const ttlSeconds = fc.constantFrom(10, 60, 3600, 3600);
/** Several gateways, and one that gives no name. */
const holder = fc.constantFrom('g1', 'g2', 'g3', undefined);
const anyHold = ({ holds }: Model) => holds.length > 0;
const anyReport = ({ reports }: Model) => reports.length > 0;

async function placeHold(
  model: Model,
  system: System,
  mandate: ModelMandate,
  request: reference.HoldRequest,
  more: object = {},
) {
  const { id, ttlSeconds, payee, serviceId, holder } = request;
  const body = {
    holdId: id,
    mandateId: mandate.id,
    amount: text(request.amount),
    ttlSeconds,
    payee,
    serviceId,
    holder,
    ...more,
  };
  const unhindered = reference.whyNotHeld(model, mandate, request, noPolicy);
  const reply = await calls(system).hold(system.owner, body);
  expect(reply.code).toBe(reference.hold(model, mandate, request));
  if (reply.status !== 200) return;
  // A policy only tightens: what it lets through, the signed limits let through.
  expect(unhindered).toBeNull();
  const placed = model.holds.find((hold) => hold.id === id);
  expect(reply.data).toEqual({
    holdId: id,
    remainingBudget: text(reference.remainingOf(model, mandate)),
    expiresAt: new Date(placed?.expiresAt ?? 0).toISOString(),
  });
}

const live = (model: Model): ModelMandate =>
  model.mandates.find((mandate) => reference.statusOf(model, mandate) === 'active') ??
  pick(model.mandates, 0);

/** On the active mandate (null) or, now and then, on any. */
const place = fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: index });

export const hold = fc
  .record({
    id: holdId,
    amount,
    ttlSeconds,
    at: place,
    payee: fc.constantFrom(...merchants, ...merchants, undefined),
    serviceId: fc.constantFrom(...services, ...services, undefined),
    holder,
  })
  .map((asked) =>
    command(
      `hold(${asked.id}, ${asked.amount}, ${asked.ttlSeconds}, ${asked.holder})`,
      anyMandate,
      (model, system) =>
        placeHold(model, system, asked.at === null ? live(model) : pick(model.mandates, asked.at), asked),
    ),
  );

/** As much as every limit leaves, and sometimes one unit more: where a wrong rule shows at once. */
export const holdEdge = fc
  .record({ over: fc.constantFrom(0n, 0n, 1n), part: fc.constantFrom(1n, 2n), ttlSeconds })
  .map(({ over, part, ttlSeconds }) =>
    command(`holdEdge(${over}, 1/${part}, ${ttlSeconds})`, anyMandate, (model, system) => {
      const mandate = live(model);
      const { merchants: payees, services: names } = mandate.policy;
      const request = {
        id: `edge${model.holds.length}`,
        amount: (reference.maxToHold(model, mandate) + over) / (over === 0n ? part : 1n),
        ttlSeconds,
        payee: payees?.[0] ?? merchants[0],
        serviceId: names?.[0] ?? services[0],
      };
      return placeHold(model, system, mandate, request);
    }),
  );

const rules = [
  'PER_TX_LIMIT_EXCEEDED',
  'APPROVAL_THRESHOLD_EXCEEDED',
  'TOTAL_BUDGET_EXCEEDED',
  'PERIOD_BUDGET_EXCEEDED',
] as const;

/** What the owner was asked about and told of `reasons`; now and then the hold is for another amount than that. */
export const holdApproved = fc
  .record({
    id: holdId,
    tenths: fc.integer({ min: 1, max: 25 }),
    reasons: fc.subarray([...rules], { minLength: 1 }),
    isOther: fc.constantFrom(false, false, false, true),
    payee: fc.constantFrom(...merchants),
    ttlSeconds,
    holder,
  })
  .map(({ id, tenths, reasons, isOther, payee, ttlSeconds, holder }) =>
    command(
      `holdApproved(${id}, ${tenths}, ${reasons.join()}, ${isOther})`,
      anyMandate,
      async (model, system) => {
        const { apiKey, address } = system.owner;
        const approved = BigInt(tenths) * tenth;
        const { clock } = system.home.dashboard;
        const atomic = String(tenths * 100_000);
        const asked = askedOf(address, clock.now, { payTo: payee as Address, amount: atomic });
        const question = { ...asked, apiKey, amount: text(approved), reason: reasons[0], reasons };
        expect((await post(system, '/api/approvals', question)).code).toBe(reference.success);
        const amount = isOther ? approved + tenth : approved;
        const told = isOther ? [] : reasons;
        const request = { id, amount, ttlSeconds, payee, serviceId: services[0], holder, told };
        const more = { approvalId: asked.approvalId, chain: `eip155:${chainId}` };
        return placeHold(model, system, live(model), request, more);
      },
    ),
  );

export const holdAgain = fc.tuple(index, ttlSeconds, holder).map(([at, ttlSeconds, holder]) =>
  command(`holdAgain(${at}, ${holder})`, anyHold, (model, system) => {
    const { id, mandate, amount, payee } = pick(model.holds, at);
    return placeHold(model, system, mandate, { id, amount, payee, ttlSeconds, holder });
  }),
);

/** Null is a hold that nobody placed. */
export const release = fc.tuple(fc.option(index, { freq: 8 }), holder).map(([at, holder]) =>
  command(`release(${at}, ${holder})`, anyHold, async (model, system) => {
    const hold = at === null ? null : pick(model.holds, at);
    const id = hold?.id ?? 'unknown';
    const reply = await calls(system).release(system.owner, id, holder);
    expect(reply.code).toBe(reference.release(model, id, holder));
    if (hold === null || reply.status !== 200) return;
    const remainingBudget = text(reference.remainingOf(model, hold.mandate));
    expect(reply.data).toEqual({ holdId: id, remainingBudget });
  }),
);

type Payment = { readonly amount: bigint; readonly holdId: string | null };

async function report(model: Model, system: System, mandate: ModelMandate, payment: Payment) {
  const body = {
    apiKey: system.owner.apiKey,
    ...paymentOf(system.owner.address),
    amount: text(payment.amount),
    intentMandateId: mandate.id,
    txHash: `0x${model.reports.length}`,
    metadata: { holdId: payment.holdId },
  };
  const reply = await post(system, '/api/transactions', body);
  expect(reply.code).toBe(reference.pay(model, mandate, payment));
  if (reply.status === 201) model.reports.push({ body, id: reply.data.id });
}

/** The payment that a hold was placed for: of its own amount, or of less, or of more. */
export const reportHold = fc.tuple(index, fc.option(amount, { freq: 3 })).map(([at, other]) =>
  command(`reportHold(${at}, ${other})`, anyHold, (model, system) => {
    const { id, mandate, amount } = pick(model.holds, at);
    return report(model, system, mandate, { amount: other ?? amount, holdId: id });
  }),
);

export const reportBare = fc
  .tuple(index, amount, fc.option(holdId))
  .map(([at, amount, holdId]) =>
    command(`reportBare(${at}, ${amount}, ${holdId})`, anyMandate, (model, system) =>
      report(model, system, pick(model.mandates, at), { amount, holdId }),
    ),
  );

export const reportTwice = index.map((at) =>
  command(`reportTwice(${at})`, anyReport, async (model, system) => {
    const { body, id } = pick(model.reports, at);
    const reply = await post(system, '/api/transactions', body);
    expect(reply).toMatchObject({ status: 409, code: 80000003, data: { id } });
  }),
);

export const reportFailure = fc.tuple(index, fc.constantFrom('reject', 'error')).map(([at, serviceResult]) =>
  command(`reportFailure(${at}, ${serviceResult})`, anyHold, async (model, system) => {
    const { id, mandate } = pick(model.holds, at);
    const change = { serviceResult, holdId: id };
    const reply = await calls(system).report(system.owner, mandate.id, change);
    expect(reply.status).toBe(201);
  }),
);
