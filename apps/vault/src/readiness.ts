import type { EnclaveClient } from '@countersign/service/enclave-client';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import type { AnchorState, ElectedPublisher } from './anchor/elected-publisher.ts';

const ping = statement('ready.ping', 'select 1');

export type Readiness = {
  readonly ready: boolean;
  readonly database: 'up' | 'down';
  readonly enclave: 'up' | 'down';
  readonly audit: { readonly size: number } | 'down';
  readonly anchor: AnchorState;
};

/** What `/ready` tells. A chain that cannot be reached loses nothing, so the vault stays ready without it. */
export async function readiness(
  pool: Pool,
  enclave: EnclaveClient,
  publisher: ElectedPublisher | null,
): Promise<Readiness> {
  const [database, audit] = await Promise.all([isUp(pool), auditOf(enclave)]);
  return {
    ready: database && audit !== 'down',
    database: database ? 'up' : 'down',
    enclave: enclave.connected() ? 'up' : 'down',
    audit,
    anchor: publisher?.state() ?? { state: 'off' },
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
