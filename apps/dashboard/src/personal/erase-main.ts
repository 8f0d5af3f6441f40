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
    if (subject === null) throw new Error(`no account ${asked.name} in this database`);
    await (asked.sure ? erase : foretell)(database.pool, subject);
  } finally {
    await database.close();
  }
}

/** Reads the arguments; returns a message if they are not valid. */
function readArguments(argv: readonly string[]): Asked | string {
  const words = argv.filter((word) => word !== '--yes');
  const [flag, value, ...more] = words;
  const sure = words.length < argv.length;
  if ((flag !== '--wallet' && flag !== '--account') || value === undefined || more.length > 0)
    return 'name one account, by --wallet ADDRESS or --account ID';
  if (flag === '--account') return { name: value, sure };
  const wallet = parseAddress(value);
  return wallet === null ? `${value} is not an address` : { name: wallet, sure };
}

async function foretell(pool: Pool, subject: Subject): Promise<void> {
  const counts = await countPersonalData(pool, subject);
  const said = (onErasure: 'deleted' | 'ended' | 'kept') => linesOf(counts, onErasure);
  process.stdout.write(
    `account ${subject.accountId}, wallet ${subject.wallet}\n\ndeleted:\n${said('deleted')}\nended:\n${said('ended')}
kept, most of it because the law requires it (see docs/decisions/0020-personal-data.md):\n${said('kept')}
The person is no longer verified, and payments stop. Nothing has been erased yet. Add --yes to erase.\n`,
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

Erases the personal data of one account, as its owner could in the console: identity, unpaid
requests, drafts, alerts, API keys and sessions. Its mandates end, it is no longer verified, and
its payments stop. What the law requires is kept: payments, signed mandates and the fact that
decisions were made. Without --yes it lists what would be erased and changes nothing. Running it
again is harmless. The dashboard may keep running.

Backups keep their contents. An identity verification vendor keeps its own file: erase it there
too.

  --yes   erase; this cannot be undone

Variables:
  DATABASE_URL        the dashboard's PostgreSQL; unset: the private one in DASHBOARD_DATA_DIR
  DASHBOARD_DATA_DIR  default .countersign

Exit codes: 0 done or listed, 1 not done (no such account, no database), 2 wrong usage.

Examples:
  countersign dashboard erase --wallet 0x7F367cC41522cE07553e823bf3be79A889DEbe1B
  countersign dashboard erase --account acc_4f1c9a --yes
`;
