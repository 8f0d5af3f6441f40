import type { Env } from '@countersign/service/config';
import { findReceiptKey, publicHalf } from './receipt-key.ts';
import { stateDirOf } from './state-dir.ts';

/** `countersign gateway receipt-key`: prints the public half of the key that signs receipts. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  if (argv.length > 0) {
    process.stderr.write(
      'gateway receipt-key: takes no options. Try "countersign gateway receipt-key --help".\n',
    );
    process.exitCode = 2;
    return;
  }
  const dir = stateDirOf(env);
  const key = findReceiptKey(dir);
  if (key === null)
    throw new Error(`no receipt key in ${dir}: is GATEWAY_STATE_DIR the gateway's, and has it run?`);
  process.stdout.write(`${publicHalf(key)}\n`);
}

const help = `countersign gateway receipt-key

Prints the public half of the Ed25519 key that the gateway signs its receipts with: 32 bytes in
base64. The gateway creates this key at its first start; it is not the wallet's key. Give it to
anyone who verifies your receipts.

Variables:
  GATEWAY_STATE_DIR   default .countersign/gateway

Examples:
  countersign receipt verify receipts.jsonl --key "$(countersign gateway receipt-key)"
  GATEWAY_STATE_DIR=/srv/gateway countersign gateway receipt-key
`;
