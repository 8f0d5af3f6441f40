import { parseAddress } from '@countersign/protocol/address';
import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { createLogger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { readStorageConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { sendNotices } from '../events/notice.ts';
import { countPersonalData, type Counts, type Subject } from './count.ts';
import { erasePersonalData, findSubject } from './erase.ts';
import { personalDataKinds } from './kinds.ts';

type Asked = { readonly name: string; readonly sure: boolean };

/** `countersign dashboard erase`: `argv` is what follows these words. What it throws is one sentence to show. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  const asked = readArguments(argv);
  if (typeof asked === 'string') {
    process.stderr.write(`dashboard erase: ${asked}. Try "countersign dashboard erase --help".\n`);
    process.exitCode = 2;
    return;
  }
  const storage = exitOnBadConfig('dashboard erase', readStorageConfig(env));
  const database = await openDatabase(storage, createLogger('dashboard', 'warn'));
  try {
    const subject = await findSubject(database.pool, asked.name);
    if (subject === null) throw new Error(`there is no account ${asked.name} in this database`);
    await (asked.sure ? erase : foretell)(database.pool, subject);
  } finally {
    await database.close();
  }
}

/** What is asked for, or why that cannot be told. */
function readArguments(argv: readonly string[]): Asked | string {
  const words = argv.filter((word) => word !== '--yes');
  const [flag, value, ...more] = words;
  const sure = words.length < argv.length;
  if ((flag !== '--wallet' && flag !== '--account') || value === undefined || more.length > 0)
    return 'name one account, by --wallet ADDRESS or --account ID';
  if (flag === '--account') return { name: value, sure };
  const wallet = parseAddress(value);
  return wallet === null ? `${value} is no address` : { name: wallet, sure };
}

async function foretell(pool: Pool, subject: Subject): Promise<void> {
  const counts = await countPersonalData(pool, subject);
  const said = (onErasure: 'deleted' | 'ended' | 'kept') => linesOf(counts, onErasure);
  process.stdout.write(
    `account ${subject.accountId}, wallet ${subject.wallet}\n\ndeleted:\n${said('deleted')}\nended:\n${said('ended')}
kept, most of it because law asks for it (see docs/decisions/0020-personal-data.md):\n${said('kept')}
The person is no longer verified, and payments stop. Nothing was done yet: add --yes to erase.\n`,
  );
}

function linesOf(counts: Counts, onErasure: string): string {
  const kinds = Object.entries(personalDataKinds(null)).filter(([, about]) => about.onErasure === onErasure);
  return kinds
    .map(([kind, { what }]) => `  ${String(counts[kind as keyof Counts] ?? '?').padStart(7)}  ${what}\n`)
    .join('');
}

async function erase(pool: Pool, subject: Subject): Promise<void> {
  const { erased, notices } = await erasePersonalData(pool, subject, 'operator', new Date());
  await sendNotices(pool, notices);
  const told = Object.entries(erased).map(([kind, count]) => `${kind} ${count}`);
  process.stdout.write(`erased of account ${subject.accountId}: ${told.join(', ')}\n`);
}

const help = `countersign dashboard erase --wallet ADDRESS|--account ID [--yes]

Erases the personal data of one account as its person would in the console: who it is, what is asked of him and not
paid, drafts, alerts, API keys, sessions; its mandates end, it is no longer verified, and its payments stop. What law asks
for stays: payments, signed mandates, that something was decided. Without --yes it tells what would go and does nothing.
Once more is harmless. The dashboard may run meanwhile.

Backups keep what they hold. A vendor of identity checks keeps its own file: erase it there too.

  --yes   erase; there is no way back

Variables:
  DATABASE_URL        the dashboard's PostgreSQL; unset: the private one in DASHBOARD_DATA_DIR
  DASHBOARD_DATA_DIR  default .countersign

Exit codes: 0 done or told, 1 not done (no such account, no database), 2 not understood.

Example:
  countersign dashboard erase --wallet 0x7F367cC41522cE07553e823bf3be79A889DEbe1B
`;
