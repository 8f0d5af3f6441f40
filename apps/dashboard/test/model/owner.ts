import * as fc from 'fast-check';
import { expect } from 'vitest';
import { demoMandate } from '../dashboard.ts';
import { always, anyMandate, command, index, pick, tenth } from './command.ts';
import * as reference from './reference.ts';
import { logIn, post, restart, text } from './system.ts';

// What the owner does, and what befalls everybody: time and restarts.

type Terms = { readonly perTx: bigint; readonly total: bigint; readonly validDays: number };

const drafting = ({ validDays, ...limits }: Terms) =>
  command(`create(${limits.perTx}, ${limits.total})`, always, async (model, system) => {
    const body = { perTxLimit: text(limits.perTx), totalBudget: text(limits.total), validDays };
    const { data } = await post(system, '/api/mandates/intent/create', { ...demoMandate, ...body });
    const { mandateId: id, typedData } = data;
    const expiresAt = model.now + validDays * 86_400_000;
    model.mandates.push(reference.draft({ id, typedData, ...limits, expiresAt }));
  });

export const create = fc
  .record({
    perTx: fc.integer({ min: 4, max: 6 }),
    total: fc.integer({ min: 6, max: 20 }),
    last: fc.constantFrom(0n, 1n),
    validDays: fc.constantFrom(1, 2),
  })
  .map(({ perTx, total, last, validDays }) =>
    drafting({ perTx: BigInt(perTx) * tenth, total: BigInt(total) * tenth + last, validDays }),
  );

/** So much for so long that a policy says no first. */
export const createForYear = fc.constant(drafting({ perTx: 4n * tenth, total: 60n * tenth, validDays: 365 }));

/** The newest is signed more often than the others: only what is active leads anywhere. */
export const sign = fc.oneof(fc.constant(0), index).map((at) =>
  command(`sign(${at})`, anyMandate, async (model, system) => {
    const mandate = pick(model.mandates.toReversed(), at);
    const draft = { mandateId: mandate.id, typedData: mandate.typedData };
    const reply = await system.home.dashboard.signMandate(system.owner, draft);
    expect(reply.code).toBe(reference.sign(model, mandate));
  }),
);

export const revoke = index.map((at) =>
  command(`revoke(${at})`, anyMandate, async (model, system) => {
    const mandate = pick(model.mandates, at);
    const reply = await post(system, '/api/mandates/intent/revoke', { mandateId: mandate.id });
    expect(reply.code).toBe(reference.revoke(model, mandate));
  }),
);

const advance = (ms: number) =>
  command(`advance(${ms})`, always, async (model, system) => {
    model.now += ms;
    system.home.dashboard.clock.advance(ms);
    await logIn(system);
  });
export const seconds = fc.constantFrom(1, 9_999, 10_000, 50_000).map(advance);
export const days = fc.constantFrom(3_600_000, 43_200_000, 86_400_000).map(advance);

export const restarted = fc.constant(command('restart', always, (_, system) => restart(system)));
