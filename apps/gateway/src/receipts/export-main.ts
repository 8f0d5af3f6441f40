import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Env } from '@countersign/service/config';
import { exportLines } from './export.ts';
import { findReceiptKey } from './receipt-key.ts';
import { stateDirOf } from './state-dir.ts';
import { readReceipts } from './store.ts';

/** `countersign receipt export`: `argv` is what follows these words. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  const since = readSince(argv);
  if (!since.ok) {
    process.stderr.write(`receipt export: ${since.error}. Try "countersign receipt export --help".\n`);
    process.exitCode = 2;
    return;
  }
  const dir = stateDirOf(env);
  const key = findReceiptKey(dir);
  if (key === null)
    throw new Error(`no receipts in ${dir}: is GATEWAY_STATE_DIR the gateway's, and has it run?`);
  const store = readReceipts(dir);
  try {
    await pipeline(Readable.from(ended(exportLines(store, key, since.value, Date.now()))), process.stdout);
  } finally {
    await store.close();
  }
}

function* ended(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

function readSince(argv: readonly string[]): Result<number | null, string> {
  if (argv.length === 0) return ok(null);
  const [option = '', time = ''] = argv;
  if (option !== '--since') return fail(`unknown option "${option}"`);
  const since = /^\d{4}-\d\d-\d\d/.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(since) || argv.length > 2)
    return fail('--since wants one time such as 2026-01-31T00:00:00Z');
  return ok(since);
}

const help = `countersign receipt export [--since TIME]

Writes the receipts of the gateway's decisions as JSON lines, oldest first: {receipt, signature,
inputs}, and last {head, signature}, which shows where the chain ends. Works while the gateway
runs. The inputs are the answers of services and the dashboard: protect the file as you protect
those.

  --since TIME   leave out older receipts, such as 2026-01-31 or 2026-01-31T08:00:00Z

Variables:
  GATEWAY_STATE_DIR   default .countersign/gateway

Examples:
  countersign receipt export > receipts.jsonl && countersign receipt verify receipts.jsonl
  countersign receipt export --since 2026-11-01 > november.jsonl
`;
