import { definitions } from '@countersign/protocol/control/connector';
import type { Logger } from '@countersign/service/logger';
import { Broker } from '../broker/broker.ts';
import { Loan } from '../broker/loan.ts';
import { nextValueOf } from '../broker/next-value.ts';
import { type BrokerCode, problemOf } from '../broker/problem.ts';
import { reachBy, trust } from '../broker/reach.ts';
import { conclude } from './conclude.ts';
import type { Run, RunConnector, RunEnd } from './connector.ts';
import { converse, type Said } from './converse.ts';
import type { ConnectorHost } from '../../channel/connector-host.ts';

export type RunConnectorOptions = {
  readonly host: ConnectorHost;
  /** Certificates in PEM, besides the public ones. */
  readonly ca: string | null;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
};

type Without<E, K extends PropertyKey> = E extends unknown ? Omit<E, K> : never;
type Ended = Without<RunEnd, 'durationMs'>;

/** Runs each action in a sandbox of its own, which is gone when the answer comes. */
export function createRunConnector(options: RunConnectorOptions): RunConnector {
  const secureContext = trust(options.ca);
  const { now } = options;
  return async (run) => {
    const begin = now();
    const end = (ended: Ended): RunEnd => ({ ...ended, durationMs: Math.max(0, Math.round(now() - begin)) });
    if (!definitions[run.type].safeParse(run.definition).success)
      return end(failed('invalid_params', 'The definition cannot be read.'));
    if (run.signal.aborted) return end(failed('cancelled'));
    const until = begin + run.timeoutMs;
    const attempt = () => runOnce({ ...options, secureContext, run, until });
    const first = await attempt();
    // One that was kept ready may have died meanwhile: another takes its place.
    return end((first.wasUsed ? first : await attempt()).ended);
  };
}

const failed = (code: BrokerCode, message?: string): Ended => ({
  ended: 'failed',
  problem: problemOf(code, message),
  sandbox: null,
});

type Attempt = RunConnectorOptions & {
  readonly run: Run;
  readonly secureContext: ReturnType<typeof trust>;
  /** Unix milliseconds. */
  readonly until: number;
};

/** `wasUsed`: the connector said a word, so that something may have been done. */
type Attempted = { readonly ended: Ended; readonly wasUsed: boolean };

async function runOnce({ host, now, log, secureContext, run, until }: Attempt): Promise<Attempted> {
  const started = await host.start();
  if (!started.ok) {
    log.error({ why: started.error }, 'there is no sandbox for an execution');
    return { ended: failed('sandbox_unavailable'), wasUsed: false };
  }
  const { facts: sandbox, stop } = started.value;
  const loan = new Loan(run.lend);
  const next = nextValueOf(run);
  const over = new AbortController();
  const { allowPrivate } = run;
  const reach = reachBy({ dial: host.dial, allowPrivate, secureContext, over: over.signal });
  const broker = new Broker({ run, loan, next, reach, until, now });
  try {
    const said = await converse(started.value, run, broker, Math.max(0, until - now()));
    over.abort();
    await stop();
    const wasUsed = !('problem' in said && said.isStillborn === true);
    const heard = maskedBy(next === null ? [loan] : [loan, next.loan], said);
    return { ended: { ...conclude(heard, broker.sent, run.type), sandbox }, wasUsed };
  } finally {
    await Promise.all([loan.end(), next?.loan.end()]);
  }
}

/** Masks every secret that was lent to the connector in its report. */
function maskedBy(loans: readonly Loan[], said: Said): Said {
  const text = (all: string) => loans.reduce((masked, { masker }) => masker.text(masked), all);
  if ('problem' in said)
    return { ...said, problem: { ...said.problem, message: text(said.problem.message) } };
  return { ...said, data: loans.reduce<unknown>((masked, { masker }) => masker.json(masked), said.data) };
}
