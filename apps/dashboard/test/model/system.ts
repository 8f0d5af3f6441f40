import { addAmounts, type Amount, formatAmount, parseAmount, zero } from '@countersign/protocol/amount';
import type { MandateStatus } from '@countersign/protocol/dashboard/mandate';
import { expect } from 'vitest';
import { type Json, openDashboard, type Reply, type TestDashboard } from '../dashboard.ts';
import { holdCalls } from '../holds.ts';
import { heldOf, type Model, remainingOf, statusOf } from './reference.ts';

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

/** The real thing: one account of a dashboard that can be restarted. */
export type System = {
  readonly home: { dashboard: TestDashboard };
  owner: Owner;
  /** The states in which mandates were seen last, by id. */
  readonly seen: Map<string, MandateStatus>;
};

export const post = ({ home, owner }: System, path: string, body: object): Promise<Reply> =>
  home.dashboard.post(path, body, owner.token);
export const calls = ({ home }: System) => holdCalls(home.dashboard);

/** Sessions do not outlive the clock's long steps. */
export async function logIn(system: System): Promise<void> {
  const { wallet } = system.owner;
  system.owner = {
    ...system.owner,
    token: (await system.home.dashboard.loginReply(wallet)).data.token,
  };
}

/** The process ends and another one takes over database and clock. */
export async function restart({ home }: System): Promise<void> {
  const { config, clock, stop } = home.dashboard;
  await stop();
  home.dashboard = await openDashboard({ storage: config.storage });
  home.dashboard.clock.now = clock.now;
}

export const text = (amount: bigint): string => formatAmount(amount as Amount);

const moves: Record<MandateStatus, readonly MandateStatus[]> = {
  pending: ['pending', 'active', 'exhausted', 'expired'],
  active: ['active', 'pending', 'revoked', 'exhausted', 'expired'],
  revoked: ['revoked'],
  exhausted: ['exhausted'],
  expired: ['expired'],
};

/** Everything that can be seen of the system is as the model has it, and the sums of money are right. */
export async function compare(model: Model, system: System): Promise<void> {
  const { token, apiKey, address } = system.owner;
  const [listed, found, logged] = await Promise.all([
    post(system, '/api/mandates/intent/list', { limit: 100 }),
    post(system, '/api/mandates/intent/vc', { apiKey, payerWalletAddress: address }),
    system.home.dashboard.request('GET', passed, { token }),
  ]);
  compareMandates(model, system, listed.data.data.toReversed());
  compareLookUp(model, found);
  const consumed = listed.data.data.map(({ usedAmount }: Json) => usedAmount);
  const recorded = logged.data.data.map(({ amountExact }: Json) => amountExact);
  const ofDeleted = model.mandates.reduce((sum, { deleted, used }) => (deleted ? sum + used : sum), 0n);
  expect([sum(consumed) + ofDeleted, sum(recorded)]).toEqual([model.passed, model.passed]);
}

/** `vc` answers with the active mandate; without one, or while it is paused, `msg` tells why not. */
function compareLookUp(model: Model, found: Reply): void {
  const known = model.mandates.filter(({ deleted }) => !deleted);
  const active = known.find((mandate) => statusOf(model, mandate) === 'active');
  const shown = active?.policy.paused === true ? undefined : active;
  expect(found.data.mandate?.id).toBe(shown?.id);
  expect(found.data.remainingBudget).toBe(shown === undefined ? null : text(remainingOf(model, shown)));
  const newest = known.at(-1);
  const why = newest === undefined ? 'NOT_FOUND' : statusOf(model, newest).toUpperCase();
  const msg = active === undefined ? `MANDATE_${why}` : 'MANDATE_PAUSED';
  expect(found.msg).toBe(shown === undefined ? msg : 'success');
}

const passed = '/api/transactions?scope=myPayer&serviceResult=pass&limit=100';
const sum = (amounts: readonly string[]): bigint =>
  amounts.map((value) => parseAmount(value) as Amount).reduce(addAmounts, zero);

function compareMandates(model: Model, { seen }: System, mandates: readonly Json[]): void {
  const known = model.mandates.filter(({ deleted }) => !deleted);
  const wanted = known.map((mandate) => ({
    id: mandate.id,
    perTxLimit: text(mandate.perTx),
    totalBudget: text(mandate.total),
    status: statusOf(model, mandate),
    usedAmount: text(mandate.used),
    heldAmount: text(heldOf(model, mandate)),
    remainingBudget: text(remainingOf(model, mandate)),
    transactionCount: mandate.count,
  }));
  expect(mandates).toMatchObject(wanted);
  for (const { id, status } of mandates) {
    expect(moves[seen.get(id) ?? 'pending']).toContain(status);
    seen.set(id, status);
  }
  for (const mandate of model.mandates) {
    if (mandate.covered) expect(mandate.used + heldOf(model, mandate)).toBeLessThanOrEqual(mandate.total);
  }
}
