import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { type Address, parseAddress } from '@countersign/protocol/address';
import type { Env } from '@countersign/service/config';
import { readPublicHalf } from './public-half.ts';
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
    return refuse(
      'name one file, at most one --key and one --owner. Try "countersign receipt verify --help".',
    );
  const unreadable = await access(asked.file).catch((error: Error) => error);
  if (unreadable instanceof Error) return refuse(`the file cannot be read: ${unreadable.message}`);
  const verified = await verifyExport(() => linesOf(asked.file), asked.key, asked.owner);
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

type Asked = { readonly file: string; readonly key: string | null; readonly owner: Address | null };

function readArguments(argv: readonly string[]): Asked | null {
  const [key, withoutKey] = takeOption(argv, '--key');
  const [ownerText, [file, ...others]] = takeOption(withoutKey, '--owner');
  if (file === undefined || file.startsWith('-') || others.length > 0) return null;
  if (key !== null && readPublicHalf(key) === null) return null;
  const owner = ownerText === null ? null : parseAddress(ownerText);
  return ownerText !== null && owner === null ? null : { file, key, owner };
}

/** The value of an option, and the words without it; null where it is not named. */
function takeOption(
  argv: readonly string[],
  name: string,
): readonly [value: string | null, rest: readonly string[]] {
  const at = argv.indexOf(name);
  return at < 0 ? [null, argv] : [argv[at + 1] ?? '', argv.toSpliced(at, 2)];
}

function tell(verified: Verified, isTrusted: boolean): string {
  const { problems, receipts, paid, words, publicKey } = verified;
  const lines = problems.map(({ line, what }) => (line === null ? what : `line ${line}: ${what}`));
  const whose = paid.map(
    ({ payer, owner, receipts: n }) =>
      `${payer}, ${owner === payer ? 'its own owner' : `an agent of ${owner}`}: ${receiptsText(n)}`,
  );
  const onWord = words.map(
    ({ contract, receipts: n }) =>
      `${receiptsText(n)} on the word of contract ${contract}, which only its chain can confirm`,
  );
  const outcome = {
    0: `signatures, chain and inputs hold, and every verdict follows${words.length > 0 ? ' if those contracts said so' : ''}`,
    1: 'this is not what the gateway wrote',
    2: 'not everything could be checked',
  }[exitCodeOf(verified)];
  const trust =
    isTrusted || publicKey === null
      ? ''
      : `; the key is the file's own, ${publicKey}: compare it with "countersign gateway receipt-key"`;
  return [...lines, ...whose, ...onWord, `${receiptsText(receipts)}: ${outcome}${trust}`, ''].join('\n');
}

const receiptsText = (n: number): string => `${n} ${n === 1 ? 'receipt' : 'receipts'}`;

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

const help = `countersign receipt verify FILE [--key BASE64] [--owner ADDRESS]

Checks exported receipts offline: each signature, the chain, the hash of each input, and each
verdict, which the gateway's own rules recompute from the recorded answers. Prints one line per
problem, whose payments these are, and a summary. What an owner's contract said (ERC-1271) is as
the gateway recorded it: only its chain can confirm that.

  --key BASE64   the expected signing key (countersign gateway receipt-key); without it, the file's
                 own key is used
  --owner ADDRESS   whose payments these have to be, its agents' or its own; a receipt of any other
                    owner is bad

Exit code: 0 everything holds; 1 something was changed, dropped, reordered, or does not follow; 2
something needed for the verdict is missing, such as an input or the head; 64 not judged: wrong
usage, or the file cannot be read.

Examples:
  countersign receipt verify receipts.jsonl --key "$(countersign gateway receipt-key)"
  countersign receipt verify receipts.jsonl --owner 0x7F367cC41522cE07553e823bf3be79A889DEbe1B
`;
