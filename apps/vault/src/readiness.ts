import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import type { AnchorState, ElectedPublisher } from './anchor/elected-publisher.ts';
import { newestIsolation } from './sandbox/session-store.ts';

const ping = statement('ready.ping', 'select 1');

export type Readiness = {
  readonly ready: boolean;
  readonly database: 'up' | 'down';
  readonly enclave: 'up' | 'down';
  readonly audit: { readonly size: number } | 'down';
  readonly anchor: AnchorState;
  /** How the newest browser session was found to be kept apart; null before the first. `weaker` stays ready, and is told. */
  readonly sandbox: SandboxIsolation | null;
};

/** What `/ready` tells. A chain that cannot be reached loses nothing, so the vault stays ready without it. */
export async function readiness(
  pool: Pool,
  enclave: EnclaveClient,
  publisher: ElectedPublisher | null,
): Promise<Readiness> {
  const [database, audit] = await Promise.all([isUp(pool), auditOf(enclave)]);
  const sandbox = database ? await newestIsolation(pool).catch(() => null) : null;
  return {
    ready: database && audit !== 'down',
    database: database ? 'up' : 'down',
    enclave: enclave.connected() ? 'up' : 'down',
    audit,
    anchor: publisher?.state() ?? { state: 'off' },
    sandbox,
  };
}

const isUp = (pool: Pool): Promise<boolean> =>
  firstRow(pool, ping, []).then(
    () => true,
    () => false,
  );

async function auditOf(enclave: EnclaveClient): Promise<Readiness['audit']> {
  try {
    const answer = await enclave.call('audit.checkpoint', {});
    return answer.ok ? { size: answer.value.reply.size } : 'down';
  } catch {
    return 'down';
  }
}
