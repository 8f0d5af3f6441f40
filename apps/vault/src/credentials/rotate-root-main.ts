import type { CommandReply, CommandRequest, EnclaveCommand } from '@countersign/protocol/enclave/commands';
import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { openDatabase } from '@countersign/service/database';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { sayWhy } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { reachEnclave } from '@countersign/service/reach-enclave';
import { pastOldRoot } from '@countersign/service/root-lock';
import type { Pool } from '@countersign/service/sql';
import { readPartsConfig, type VaultParts } from '../config.ts';
import { EnclaveFailed } from '../enclave.ts';
import { type SealedTable, sealedTables } from './sealed-tables.ts';

/** `countersign vault rotate-root`: `argv` is what follows these words. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) return void process.stdout.write(help);
  if (argv.length > 0) {
    process.stderr.write('vault rotate-root: expected no arguments. Try --help.\n');
    process.exit(2);
  }
  const config = exitOnBadConfig('vault', readPartsConfig(env));
  try {
    const { root, count } = await rotateRoot(config);
    process.stdout.write(
      `root secret ${root}: ${count} credentials use it, and the older ones are forgotten\n`,
    );
  } catch (error) {
    process.stderr.write(`vault rotate-root: ${sayWhy(error)}\n`);
    process.exit(1);
  }
}

async function rotateRoot({ storage, socket }: VaultParts): Promise<{ root: number; count: number }> {
  const log = createLogger('vault', 'error');
  const database = await openDatabase(storage, 'vault', log);
  let enclave: EnclaveClient | undefined;
  try {
    enclave = await reachEnclave(socket, log);
    const { root } = await ask(enclave, 'rotateRoot', {});
    await pastOldRoot(database.pool);
    let count = 0;
    for (const table of await sealedTables(database.pool))
      count += await rewrapAll(database.pool, table, enclave, root);
    await ask(enclave, 'retireRoots', {});
    return { root, count };
  } finally {
    enclave?.close();
    await database.close();
  }
}

const together = 100;

/**
 * Re-encrypts credentials one at a time, so that it can be stopped and resumed. Credentials created meanwhile
 * use the new root.
 */
async function rewrapAll(
  pool: Pool,
  table: SealedTable,
  enclave: EnclaveClient,
  root: number,
): Promise<number> {
  for (let count = 0; ; ) {
    const some = await table.before(pool, root, together);
    if (some.length === 0) return count;
    await Promise.all(
      some.map(async (sealed) => {
        const { envelope } = await ask(enclave, 'rewrap', sealed);
        await table.replace(pool, sealed, envelope);
      }),
    );
    count += some.length;
  }
}

async function ask<C extends EnclaveCommand>(
  enclave: EnclaveClient,
  command: C,
  request: CommandRequest<C>,
): Promise<CommandReply<C>> {
  const answer = await enclave.call(command, request);
  if (!answer.ok) throw new EnclaveFailed(command, answer.error);
  return answer.value.reply;
}

const help = `countersign vault rotate-root

Creates a new root secret in the enclave, moves every credential to it, and then deletes the older
ones from the enclave. No plaintext leaves the enclave, and the vault keeps running. If
interrupted, run the command again.

It connects to the enclave (ENCLAVE_SOCKET) and to the vault's database (DATABASE_URL, or the
private one in VAULT_DATA_DIR).

Examples:
  countersign vault rotate-root
  countersign --env .env vault rotate-root
`;
