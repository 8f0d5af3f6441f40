import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Env } from '@countersign/service/config';
import { readPublicHalf } from './receipt-key.ts';
import { type Verified, verifyExport } from './verify.ts';

/** `countersign receipt verify`: exits with 0 when all holds, 1 when something does not, 2 when something is missing,
 * 64 (EX_USAGE of sysexits.h) when nothing was judged. */
export async function main(argv: readonly string[], _env: Env): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  const asked = readArguments(argv);
  if (asked === null)
    return refuse('name one file, and at most one --key. Try "countersign receipt verify --help".');
  const unreadable = await access(asked.file).catch((error: Error) => error);
  if (unreadable instanceof Error) return refuse(`the file cannot be read: ${unreadable.message}`);
  const verified = await verifyExport(() => linesOf(asked.file), asked.key);
  process.exitCode = exitCodeOf(verified);
  process.stdout.write(tell(verified, asked.key !== null));
}

/** Nothing was judged. */
function refuse(why: string): void {
  process.stderr.write(`receipt verify: ${why}\n`);
  process.exitCode = 64;
}

const exitCodeOf = ({ problems }: Verified): 0 | 1 | 2 => {
  if (problems.some(({ kind }) => kind === 'bad')) return 1;
  return problems.length > 0 ? 2 : 0;
};

function readArguments(
  argv: readonly string[],
): { readonly file: string; readonly key: string | null } | null {
  const at = argv.indexOf('--key');
  const key = at < 0 ? null : (argv[at + 1] ?? '');
  const [file, ...others] = at < 0 ? argv : argv.toSpliced(at, 2);
  if (file === undefined || file.startsWith('-') || others.length > 0) return null;
  return key === null || readPublicHalf(key) !== null ? { file, key } : null;
}

function tell(verified: Verified, isTrusted: boolean): string {
  const { problems, receipts, publicKey } = verified;
  const lines = problems.map(({ line, what }) => (line === null ? what : `line ${line}: ${what}`));
  const outcome = {
    0: 'signatures, chain and inputs hold, and every verdict follows',
    1: 'this is not what the gateway wrote',
    2: 'not everything could be checked',
  }[exitCodeOf(verified)];
  const trust =
    isTrusted || publicKey === null
      ? ''
      : `; the key is the file's own, ${publicKey}: compare it with "countersign gateway receipt-key"`;
  return [...lines, `${receipts} receipts: ${outcome}${trust}`, ''].join('\n');
}

/** Lines as they stand in the file; a byte that is no UTF-8 makes a line that is none. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes: Buffer): string => {
    try {
      return decoder.decode(bytes);
    } catch {
      return '';
    }
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield decode(Buffer.concat([rest, chunk.subarray(from, end)]));
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
  }
  if (rest.length > 0) yield decode(rest);
}

const help = `countersign receipt verify FILE [--key BASE64]

Checks an export of receipts, offline: each signature, the chain, the hash of each input, and each verdict, which is
made again by the gateway's own rules from the recorded answers. One line for each problem, then a summary.

  --key BASE64   the key that must have signed (countersign gateway receipt-key); without it, the file's own is used

Exit code: 0 everything holds; 1 something was changed, dropped, reordered, or does not follow; 2 something is missing
that is needed to decide, such as an input or the head; 64 nothing was judged: the call is wrong, or the file cannot be read.

Example:
  countersign receipt verify receipts.jsonl --key "$(countersign gateway receipt-key)"
`;
