import * as fc from 'fast-check';
import { expect } from 'vitest';
import { mandateCalls } from '../mandate-calls.ts';
import * as changes from './changes.ts';
import { anyMandate, command, index, merchants, pick, services, tenth } from './command.ts';
import { noPolicy, type Policy } from './policy.ts';
import * as reference from './reference.ts';
import { type Model, type ModelMandate, statusOf } from './reference.ts';
import { type System, text } from './system.ts';

// What the owner changes after a mandate was drafted.

const calls = ({ home }: System) => mandateCalls(home.dashboard);
const tenths = fc.integer({ min: 1, max: 24 }).map((count) => BigInt(count) * tenth);
const textOf = (amount: bigint | undefined) => (amount === undefined ? undefined : text(amount));

/** The active one or the newest more often than the others: most others have ended. */
const anyOf = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: index });
const chosen = (model: Model, at: number | null): ModelMandate =>
  at === null
    ? (model.mandates.find((mandate) => statusOf(model, mandate) === 'active') ?? pick(model.mandates, -1))
    : pick(model.mandates, at);

type Act = (model: Model, system: System, mandate: ModelMandate) => Promise<void>;
const onOne = (name: string, at: number | null, act: Act) =>
  command(name, anyMandate, (model, system) => act(model, system, chosen(model, at)));

export const update = fc
  .record({
    at: anyOf,
    perTx: fc.option(tenths, { nil: undefined }),
    total: fc.option(tenths, { nil: undefined }),
  })
  .map(({ at, ...terms }) =>
    onOne(`update(${at}, ${terms.perTx}, ${terms.total})`, at, async (model, system, mandate) => {
      const body = { title: 'New', perTxLimit: textOf(terms.perTx), totalBudget: textOf(terms.total) };
      const reply = await calls(system).update(system.owner, mandate.id, body);
      expect(reply.code).toBe(changes.update(model, mandate, terms));
      if (reply.status === 200) mandate.typedData = reply.data.typedData;
    }),
  );

export const adjust = fc.tuple(anyOf, tenths).map(([at, total]) =>
  onOne(`adjust(${at}, ${total})`, at, async (model, system, mandate) => {
    const reply = await calls(system).adjust(system.owner, mandate.id, { totalBudget: text(total) });
    expect(reply.code).toBe(changes.adjust(model, mandate, total));
    if (reply.status !== 200) return;
    // Only what needs a signature is answered with something to sign.
    expect(Object.hasOwn(reply.data, 'typedData')).toBe(mandate.status === 'pending');
    if (mandate.status === 'pending') mandate.typedData = reply.data.typedData;
  }),
);

export const renew = fc.tuple(index, fc.constantFrom(1, 3)).map(([at, validDays]) =>
  onOne(`renew(${at})`, at, async (model, system, mandate) => {
    const reply = await calls(system).renew(system.owner, mandate.id, { validDays });
    expect(reply.code).toBe(changes.renew(model, mandate));
    if (reply.status !== 200) return;
    const { perTx, total, policy } = mandate;
    const expiresAt = model.now + validDays * 86_400_000;
    const { mandateId: id, typedData } = reply.data;
    model.mandates.push({ ...reference.draft({ id, typedData, perTx, total, expiresAt }), policy });
  }),
);

export const remove = index.map((at) =>
  onOne(`remove(${at})`, at, async (model, system, mandate) => {
    const reply = await calls(system).remove(system.owner, mandate.id);
    expect(reply.code).toBe(changes.remove(model, mandate));
  }),
);

const rules: { [K in keyof Policy]: fc.Arbitrary<Policy[K]> } = {
  paused: fc.constant(true),
  period: fc.record({
    every: fc.constantFrom('day', 'week', 'month'),
    budget: fc.integer({ min: 0, max: 8 }).map((count) => BigInt(count) * tenth),
  }),
  merchants: fc.subarray([...merchants]),
  services: fc.subarray([...services]),
  threshold: fc.integer({ min: 0, max: 4 }).map((count) => BigInt(count) * tenth),
};

/** One or two rules: with more of them hardly anything would come as far as the last. */
const policy: fc.Arbitrary<Policy> = fc
  .uniqueArray(fc.constantFrom('period', 'period', 'threshold', 'merchants', 'services', 'paused'), {
    minLength: 1,
    maxLength: 2,
  })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, rules[name as keyof Policy]]))))
  .map((some) => ({ ...noPolicy, ...some }));

export const setPolicy = fc
  .tuple(anyOf, fc.oneof({ weight: 3, arbitrary: policy }, fc.constant(noPolicy)))
  .map(([at, policy]) =>
    onOne(`setPolicy(${at}, ${fc.stringify(policy)})`, at, async (model, system, mandate) => {
      const wire = wireOf(policy);
      const reply = await calls(system).setPolicy(system.owner, mandate.id, wire);
      expect(reply.code).toBe(changes.setPolicy(model, mandate, policy));
      if (reply.status === 200) expect(reply.data.mandate.policy).toEqual(wire);
    }),
  );

const wireOf = ({ paused, period, merchants, services, threshold }: Policy) => ({
  paused,
  period: period === null ? null : { every: period.every, budget: text(period.budget) },
  allowedMerchants: merchants,
  allowedServices: services,
  approvalThreshold: threshold === null ? null : text(threshold),
  newPayees: 'pay',
});
