import { mayWith } from '@countersign/protocol/dashboard/key-scopes';
import type { AnswerOf } from '../api/endpoint.ts';
import { type OwnStatus, situationOf } from '../compliance/situation.ts';
import { keyLife } from '../keys/life.ts';

/** What the dashboard knows of an account's first steps. */
export type Known = {
  readonly identity: OwnStatus;
  readonly hasActiveMandate: boolean;
  readonly keys: AnswerOf<'GET /api/keys'>['data'];
  /** Whether an agent of this account ever asked for something that costs money. */
  readonly hasAsked: boolean;
  readonly hasPaid: boolean;
  readonly site: AnswerOf<'GET /api/site'>;
};

export const stepNames = ['identity', 'agent', 'mandate', 'client', 'payment', 'live'] as const;
export type StepName = (typeof stepNames)[number];

/** `waits`: the owner has done it, somebody or something else has not yet. */
export type StepState = 'open' | 'waits' | 'done';

/**
 * How far each step is. Whoever has paid once has been through all of them: a mandate that ends later, or a key that is
 * revoked, is no first step, and is told elsewhere.
 */
export function stepsOf(known: Known, now: number): Readonly<Record<StepName, StepState>> {
  const { hasPaid } = known;
  const reached = (state: StepState): StepState => (hasPaid ? 'done' : state);
  return {
    identity: reached(identityOf(known.identity, now)),
    agent: reached(agentOf(known.keys, now)),
    mandate: reached(known.hasActiveMandate ? 'done' : 'open'),
    client: reached(known.hasAsked ? 'done' : 'open'),
    payment: reached('open'),
    live: hasPaid && isRealMoney(known.site) ? 'done' : 'open',
  };
}

function identityOf(status: OwnStatus, now: number): StepState {
  switch (situationOf(status, now)) {
    case 'approved':
    case 'renewable':
    case 'renewing':
      return 'done';
    case 'waiting':
      return 'waits';
    case 'unknown':
    case 'ended':
    case 'rejected':
    case 'withdrawn':
      return 'open';
  }
}

/** A gateway that runs asks for the mandate with its key. */
function agentOf(keys: Known['keys'], now: number): StepState {
  const good = keys.filter(
    (key) =>
      keyLife(key, now) === 'live' && mayWith(key.scopes, 'report') && mayWith(key.scopes, 'mandates:read'),
  );
  if (good.some(({ lastUsedAt }) => lastUsedAt !== null)) return 'done';
  return good.length > 0 ? 'waits' : 'open';
}

const testChains: readonly unknown[] = ['eip155:84532'];

const isRealMoney = ({ chain, chainIsLocal }: Known['site']): boolean =>
  chainIsLocal !== true && !testChains.includes(chain);
