import { randomInt } from 'node:crypto';
import type { LendCredential, Run, RunConnector } from '../connector-runs/connector.ts';
import type { Handlers } from '../serve.ts';
import { makeValue } from '../credential/new-value.ts';
import type { RunRequest } from './execution.ts';
import type { Connect } from './executions.ts';
import type { TokensUnderWay } from './tokens-under-way.ts';

export type ConnectParts = {
  readonly runConnector: RunConnector;
  /** Browser connectors. */
  readonly browse: Connect;
  /** Opens a credential once the record of that is on disk. */
  readonly open: Handlers['open'];
  readonly underWay: TokensUnderWay;
};

/** Has an action done by the connector of its type. */
export const connectBy =
  ({ runConnector, browse, open, underWay }: ConnectParts): Connect =>
  (request, params, signal) => {
    const { executionId, action, token, statement, allowPrivate, timeoutMs, connector } = request;
    const { type, definition } = connector;
    if (type === 'browser') return browse(request, params, signal);
    const { agent, credential } = request;
    const reason = `execution ${executionId}`;
    const lendBy = lender(open, { actor: agent, reason, executionId }, signal);
    const lend = credential === undefined ? null : lendBy(credential);
    const next = nextOf(request, lendBy);
    const filled = next === undefined ? params : { ...params, [next.param]: next.decoy };
    const carry: Run['carry'] = (send) => underWay.carry(token, send);
    const about = { executionId, type, definition, action, params: filled, allowPrivate, timeoutMs };
    return runConnector({ ...about, token, statement, carry, lend, next, signal });
  };

type Sealed = NonNullable<RunRequest['credential']>;
type LendBy = (sealed: Sealed) => LendCredential;

/** A connector is given a decoy of the same form in the place of a new value. */
function nextOf({ next }: RunRequest, lendBy: LendBy): Run['next'] {
  if (next === undefined) return undefined;
  const { binding, envelope, param, rules } = next;
  return { param, decoy: makeValue(rules, randomInt).toString(), lend: lendBy({ binding, envelope }) };
}

const lender =
  (
    open: Handlers['open'],
    why: { readonly actor: string; readonly reason: string; readonly executionId: string },
    signal: AbortSignal,
  ): LendBy =>
  (sealed) =>
  async (use) => {
    const opened = await open({ ...sealed, ...why }, Buffer.alloc(0), signal);
    const plaintext = opened.ok ? opened.value.body : undefined;
    if (plaintext === undefined) return false;
    try {
      await use(plaintext);
      return true;
    } finally {
      plaintext.fill(0);
    }
  };
