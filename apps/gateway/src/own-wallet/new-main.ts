import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { writeNewKey } from './key-file.ts';

/** `countersign wallet new`: makes a key and keeps it in a new file, or prints it where that was asked for. */
export async function main(argv: readonly string[]): Promise<void> {
  const asked = readArguments(argv);
  if (!asked.ok) return refuse(asked.error, 2);
  if (asked.value === 'help') return void process.stdout.write(help);
  const key = randomBytes(32);
  const address = addressOfPrivateKey(key);
  if (asked.value.file === null) {
    process.stderr.write(`The private key of ${address}, which is kept nowhere else:\n`);
    return void process.stdout.write(`0x${key.toString('hex')}\n`);
  }
  const written = writeNewKey(asked.value.file, key);
  if (!written.ok) return refuse(written.error, 1);
  process.stderr.write(
    `Its private key is in ${asked.value.file}, which only you can read. Keep a copy: nobody can restore it.\n`,
  );
  process.stdout.write(`${address}\n`);
}

function refuse(why: string, code: 1 | 2): void {
  const more = code === 2 ? '. "countersign wallet new --help" explains.' : '';
  process.stderr.write(`wallet new: ${why}${more}\n`);
  process.exitCode = code;
}

/** `file` null: print the key. */
function readArguments(argv: readonly string[]): Result<'help' | { readonly file: string | null }, string> {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.help === true) return ok('help');
    if (values.print === true && values.out !== undefined)
      return fail('--print and --out exclude each other');
    if (values.out === '') return fail('--out needs a file');
    return ok({ file: values.print === true ? null : (values.out ?? '.countersign/wallet.key') });
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

const options = {
  out: { type: 'string' },
  print: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const help = `countersign wallet new [--out FILE | --print]

Creates a wallet for an agent: a random private key. It prints the address and writes the key to a
file that only you can read; an existing file is never overwritten. Whoever has the key can spend
the wallet's whole balance, so keep little there.

  --out FILE   the file (default .countersign/wallet.key)
  --print      print the key and write no file

Next: send money to the address, set EVM_PRIVATE_KEY for the gateway, and set OWNER_ADDRESS to the
wallet that owns the agent; the owner signs for the agent in the console.

Examples:
  countersign wallet new --out researcher.key
  EVM_PRIVATE_KEY=$(cat researcher.key) countersign gateway --http
`;
