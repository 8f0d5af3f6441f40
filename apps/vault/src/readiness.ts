import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { enclaveState } from '@countersign/service/enclave-state';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import type { AnchorState, ElectedPublisher } from './anchor/elected-publisher.ts';
import { newestIsolation } from './sandbox/session-store.ts';

const ping = statement('ready.ping', 'select 1');

export type Readiness = {
  readonly ready: boolean;
  readonly database: 'up' | 'down';
  /** `down` also where it is there and does not answer. */
  readonly enclave: 'up' | 'down';
  /** How often its core was restarted, because it had died or did not respond; null while it is down. */
  readonly enclave_restarts: number | null;
  readonly audit: { readonly size: number } | 'down';
  readonly anchor: AnchorState;
  /**
   * The isolation of the newest browser session, as measured; null before the first. `weaker` stays ready,
   * and is reported.
   */
  readonly sandbox: SandboxIsolation | null;
};

/**
 * Returns the content of `/ready`. The vault stays ready while the chain cannot be reached, since nothing is
 * lost.
 */
export async function readiness(
  pool: Pool,
  enclave: EnclaveClient,
  publisher: ElectedPublisher | null,
): Promise<Readiness> {
  const [database, told] = await Promise.all([isUp(pool), enclaveState(enclave)]);
  const sandbox = database ? await newestIsolation(pool).catch(() => null) : null;
  return {
    ready: database && told !== null,
    database: database ? 'up' : 'down',
    enclave: told === null ? 'down' : 'up',
    enclave_restarts: told?.restarts ?? null,
    audit: told === null ? 'down' : { size: told.size },
    anchor: publisher?.state() ?? { state: 'off' },
    sandbox,
  };
}

const isUp = (pool: Pool): Promise<boolean> =>
  firstRow(pool, ping, []).then(
    () => true,
    () => false,
  );
