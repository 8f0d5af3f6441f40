import { open, readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { AnchorPlace } from '../anchor/ethereum.ts';
import { verifyBundle } from './bundle.ts';
import { verifyExport } from './export.ts';
import { linesOf } from './lines.ts';
import { tellNotJudged } from './not-judged.ts';
import { checkOnChain } from './on-chain.ts';
import { verifyProofFile } from './proof-file.ts';
import { exitCodes, fails, type Report, reportJson, reportText, verdictOf } from './report.ts';
import { spooled } from './spooled.ts';
import { keysOfLog, readTrustedKey, type TrustedKey } from './trusted-key.ts';

/** `countersign audit verify`: its exit code is the verdict. */
export async function main(argv: readonly string[]): Promise<void> {
  const asked = readArguments(argv);
  if (!asked.ok)
    return tellNotJudged('audit verify', `${asked.error}. Try "countersign audit verify --help".`, argv);
  if (asked.value === 'help') {
    process.stdout.write(help);
    return;
  }
  const { json, chain } = asked.value;
  const verified = await verifyGiven(asked.value).catch((error: NodeJS.ErrnoException) => {
    tellNotJudged('audit verify', `the file cannot be read: ${error.message}`, argv);
    return null;
  });
  if (verified === null) return;
  const report = chain === null ? verified : await lookedUp(verified, chain);
  process.stdout.write(json ? reportJson(report) : reportText(report));
  process.exitCode = exitCodes[verdictOf(report)];
}

type Asked = {
  /** `-` is standard input. */
  readonly file: string;
  readonly keys: readonly TrustedKey[];
  readonly json: boolean;
  readonly chain: AnchorPlace | null;
};

function readArguments(argv: readonly string[]): Result<Asked | 'help', string> {
  const parsed = tryToParse(argv);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  const [file, ...others] = positionals;
  if (values.help === true) return ok('help');
  if (file === undefined || others.length > 0) return fail('name one file');
  const keys = (values.key ?? []).map(readTrustedKey);
  if (!keys.every((key) => key !== null))
    return fail('--key is the 32 bytes of an Ed25519 public key in base64, or a verifier key NAME+ID+BASE64');
  const chain = readChain(values.rpc, values.anchor);
  return chain.ok ? ok({ file, keys, json: values.json === true, chain: chain.value }) : chain;
}

function readChain(
  rpcUrl: string | undefined,
  anchor: string | undefined,
): Result<AnchorPlace | null, string> {
  if (rpcUrl === undefined && anchor === undefined) return ok(null);
  const contract = parseAddress(anchor ?? '');
  if (rpcUrl === undefined || !/^https?:/.test(rpcUrl) || !URL.canParse(rpcUrl))
    return fail('--rpc is the http or https URL of a node');
  return contract === null
    ? fail('--anchor is the address of the AuditAnchor contract')
    : ok({ rpcUrl, contract });
}

async function lookedUp(report: Report, place: AnchorPlace): Promise<Report> {
  // Only who asks for the chain waits for its library.
  const { anchorReader } = await import('../anchor/ethereum.ts');
  const step = await checkOnChain(report.head, anchorReader(place));
  return { ...report, steps: [...report.steps, step] };
}

function tryToParse(argv: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...argv], options: argumentTypes, allowPositionals: true }));
  } catch (error) {
    return fail(error instanceof Error ? error.message.replace(/\.$/, '') : String(error));
  }
}

const argumentTypes = {
  key: { type: 'string', multiple: true },
  rpc: { type: 'string' },
  anchor: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const verifyGiven = ({ file, keys }: Asked): Promise<Report> =>
  file === '-' ? spooled(process.stdin, (path) => verifyBy(path, keys)) : verifyBy(file, keys);

/** A verifier key is good for the log that it names, and for no other. Which log it is, the file tells. */
async function verifyBy(file: string, keys: readonly TrustedKey[]): Promise<Report> {
  const verify = (by: readonly TrustedKey[]) =>
    verifyFile(
      file,
      by.map(({ publicKey }) => publicKey),
    );
  const report = await verify(keys);
  const origin = report.head?.origin ?? '';
  const own = keysOfLog(keys, origin);
  if (own.length === keys.length) return report;
  if (own.length > 0) return verify(own);
  const what = `this is of the log ${origin}, and the key you gave is of ${keys.map(({ log }) => log).join(', ')}`;
  return { ...report, steps: [...report.steps, fails(what)] };
}

/** What kind of file it is, its first bytes tell; what is neither proof nor bundle has to be an export. */
async function verifyFile(file: string, keys: Parameters<typeof verifyExport>[1]): Promise<Report> {
  const { size } = await stat(file);
  const first = await beginningOf(file);
  if (first.startsWith('c2sp.org/tlog-proof@')) return verifyProofFile(await readFile(file, 'utf8'), keys);
  if (bundleBegins.test(first)) return verifyBundle(await readFile(file, 'utf8'), keys);
  const progress = progressOf(size * 2);
  const report = await verifyExport(() => linesOf(file, progress.read), keys);
  progress.end();
  return report;
}

/** However a JSON library wrote it; no line of an export begins so. */
const bundleBegins = /^\s*\{\s*"(?:anchor|attestation|format|records|signature)"\s*:/;

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Tells once a second, from the second one on, how much of the file is done. */
function progressOf(total: number): { readonly read: (bytes: number) => void; readonly end: () => void } {
  let [done, told, lines] = [0, performance.now(), 0];
  return {
    read: (bytes) => {
      done += bytes;
      if (performance.now() - told < 1000) return;
      told = performance.now();
      lines += 1;
      process.stderr.write(`${lineStart()}${Math.floor((done / total) * 100)} % checked${lineEnd()}`);
    },
    end: () => {
      if (lines > 0 && process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    },
  };
}

const lineStart = (): string => (process.stderr.isTTY ? '\r' : '');
const lineEnd = (): string => (process.stderr.isTTY ? '' : '\n');

const help = `countersign audit verify FILE [--key KEY]... [--rpc URL --anchor ADDRESS] [--json]

FILE may be - for standard input. Checks what the audit log gave you, without asking anybody (only --rpc asks a node):

  an export       all records of a tenant, one a line      GET /api/v1/audit/export
  a tlog-proof    one record and its place in the log      GET /api/v1/audit/logs/ID/proof
  a proof bundle  some records with all that proves them   POST /v1/audit/proof-bundles

It reads every byte and says what it found: whether each record is as it was written, follows the one before and is
signed; whether any is missing, the newest ones too; whether it is in the log's tree; and who vouches for the key.

  --key KEY      the log's Ed25519 key, from a source you trust: "auditPublicKey" of the attestation report (base64), or a
                 verifier key of C2SP (NAME+ID+BASE64), which is good for the log of that name alone. Without it an
                 export or bundle is checked by the key that stands in it, and the output says so. May be given again for the keys that the log had before.
  --rpc URL      a node of the chain to which the log publishes its root, and
  --anchor ADDR  the AuditAnchor contract there: is the root of this file on chain?
  --json         the result as one line of JSON: {verdict, exitCode, kind, steps: [{outcome, what, line?}]}, and where
                 nothing was judged {verdict: "none", exitCode, error}

Exit code: 0 good; 1 bad: something was changed, dropped, doubled or moved; 2 incomplete: something that is needed to
decide is missing; 3 good, but the log runs in a simulated TEE, so its keeper could have written anything; 64 nothing was judged: the call
is wrong, or the file cannot be read.

Examples:
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:4022/api/v1/audit/export > log.jsonl
  countersign audit verify log.jsonl --key "$AUDIT_PUBLIC_KEY"
  curl … | countersign audit verify - --key "$AUDIT_PUBLIC_KEY"
  countersign audit verify record.tlog-proof --key "$AUDIT_PUBLIC_KEY" --json
`;
