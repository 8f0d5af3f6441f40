import type { AnchorChain } from '@countersign/audit-log/anchor/anchor-chain';
import type { AnchoredLog } from '@countersign/audit-log/anchor/publish-round';
import { anchorFlags } from '@countersign/audit-log/anchor/publish-round';
import { type Publisher, type PublisherState, startPublisher } from '@countersign/audit-log/anchor/publisher';
import { logIdOf } from '@countersign/audit-log/checkpoint';
import type { CommandReply } from '@countersign/protocol/enclave/commands';
import { type Leadership, lead } from '@countersign/service/leadership';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { type Enclave, EnclaveFailed } from '../enclave.ts';

/**
 * The state of publishing, as `/ready` reports it; `standby`: another process publishes. Reasons appear only
 * in the log.
 */
export type AnchorState =
  | { readonly state: 'off' | 'standby' | 'starting' | 'diverged' }
  | { readonly state: 'anchored'; readonly size: number; readonly at: string }
  | { readonly state: 'retrying'; readonly since: string; readonly attempts: number };

export type ElectedPublisher = { readonly state: () => AnchorState; readonly stop: () => Promise<void> };

type PublisherParts = {
  readonly pool: Pool;
  readonly enclave: Enclave & { readonly whenConnected: () => Promise<void> };
  readonly chain: AnchorChain;
  readonly intervalMs: number;
  readonly now: () => Date;
  readonly log: Logger;
};

/** Elects one publisher among all processes on this database; if it dies, another takes over. */
const publisherLock = 4_022_001;
const retryMs = 1_000;

/** Publishes the audit log's roots while this process is the one that does. */
export function startElectedPublisher(parts: PublisherParts): ElectedPublisher {
  const { pool, enclave, log } = parts;
  let publisher: Publisher | null = null;
  const leadership: Leadership = lead(pool, publisherLock, log, async () => {
    await enclave.whenConnected();
    const answer = await enclave.call('describe', {});
    if (!answer.ok) throw new EnclaveFailed('describe', answer.error);
    publisher = publishFor(parts, answer.value.reply);
    return async () => {
      await publisher?.stop();
      publisher = null;
    };
  });
  return {
    state: () => (publisher === null ? { state: 'standby' } : showState(publisher.state())),
    stop: leadership.stop,
  };
}

function publishFor(
  { enclave, chain, intervalMs, now, log }: PublisherParts,
  { origin, tee }: CommandReply<'describe'>,
): Publisher {
  return startPublisher({
    log: enclaveLog(enclave),
    chain,
    logId: logIdOf(origin),
    flags: anchorFlags(tee),
    intervalMs,
    retryMs,
    now: () => now().getTime(),
    onState(state, transactionHash) {
      const facts = { ...state, transactionHash };
      if (state.kind === 'retrying')
        log.warn(facts, 'the audit log’s root could not be published; trying again');
      else if (state.kind === 'diverged')
        log.error(facts, 'the chain has another log: publishing has stopped');
      else if (transactionHash !== null) log.info(facts, 'published the audit log’s root');
    },
  });
}

/** The log where the enclave keeps it. */
const enclaveLog = (enclave: Enclave): AnchoredLog => ({
  async head() {
    const answer = await enclave.call('audit.checkpoint', {});
    if (!answer.ok) throw new EnclaveFailed('audit.checkpoint', answer.error);
    const { size, root } = answer.value.reply;
    return { size, root: Buffer.from(root, 'base64') };
  },
  async rootAt(size) {
    const answer = await enclave.call('audit.root', { size });
    if (answer.ok) return Buffer.from(answer.value.reply.root, 'base64');
    if (answer.error.code === 'NOT_FOUND') return null;
    throw new EnclaveFailed('audit.root', answer.error);
  },
});

function showState(state: PublisherState): AnchorState {
  switch (state.kind) {
    case 'starting':
    case 'diverged':
      return { state: state.kind };
    case 'anchored':
      return { state: 'anchored', size: state.size, at: new Date(state.at).toISOString() };
    case 'retrying':
      return { state: 'retrying', since: new Date(state.since).toISOString(), attempts: state.attempts };
  }
}
