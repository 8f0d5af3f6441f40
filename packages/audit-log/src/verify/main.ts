import { parseArgs } from 'node:util';
import { parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { AnchorPlace } from '../anchor/ethereum.ts';
import { tellNotJudged } from './not-judged.ts';
import { checkOnChain } from './on-chain.ts';
import { endOf, type Report, reportJson, reportText } from './report.ts';
import { spooled } from './spooled.ts';
import { isUrl } from '@countersign/protocol/url';
import { readTrustedKey, type TrustedKey } from './trusted-key.ts';
import { verifyBy } from './verify-by.ts';

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
  process.exitCode = endOf(report).exitCode;
}

type Asked = {
  /** `-` is standard input. */
  readonly file: string;
  readonly keys: readonly TrustedKey[];
  readonly json: boolean;
  readonly chain: AnchorPlace | null;
  /** The verdicts of the review are made again. */
  readonly reviews: boolean;
};

function readArguments(argv: readonly string[]): Result<Asked | 'help', string> {
  const parsed = tryToParse(argv);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  const [file, ...others] = positionals;
  if (values.help === true) return ok('help');
  if (file === undefined || others.length > 0) return fail('give one file');
  const keys = (values.key ?? []).map(readTrustedKey);
  if (!keys.every((key) => key !== null))
    return fail(
      '--key must be the 32 bytes of an Ed25519 public key in base64, or a verifier key NAME+ID+BASE64',
    );
  const chain = readChain(values.rpc, values.anchor);
  const [json, reviews] = [values.json === true, values.reviews === true];
  return chain.ok ? ok({ file, keys, json, reviews, chain: chain.value }) : chain;
}

function readChain(
  rpcUrl: string | undefined,
  anchor: string | undefined,
): Result<AnchorPlace | null, string> {
  if (rpcUrl === undefined && anchor === undefined) return ok(null);
  const contract = parseAddress(anchor ?? '');
  if (rpcUrl === undefined || !/^https?:/.test(rpcUrl) || !isUrl(rpcUrl))
    return fail('--rpc must be the http or https URL of a node');
  return contract === null
    ? fail('--anchor must be the address of the AuditAnchor contract')
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
  reviews: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function verifyGiven({ file, keys, reviews }: Asked): Promise<Report> {
  // Only who asks for the verdicts waits for the rules.
  const again = reviews ? await import('./reviews.ts') : null;
  const startReviews = again && (() => new again.ReviewsCheck());
  const verify = (path: string) => verifyBy(path, keys, startReviews);
  return file === '-' ? spooled(process.stdin, verify) : verify(file);
}

const help = `countersign audit verify FILE [OPTION]...

FILE may be - for standard input. Verifies files from the audit log offline:

  an export       all records of a tenant, one per line    GET /api/v1/audit/export
  a tlog-proof    one record and its place in the log      GET /api/v1/audit/logs/ID/proof
  a proof bundle  some records with their proofs           POST /v1/audit/proof-bundles

It reads every byte and reports whether each record is unchanged, follows the one before and is
signed; whether any is missing, including the newest; whether it is in the log's tree; and what
confirms the key.

  --key KEY      the log's Ed25519 key, from a source you trust: "auditPublicKey" of the attestation
                 report (base64), or a verifier key of C2SP, which is valid only for the log of that
                 name. Without it the key in the file is used, and the output says so. May be
                 repeated for the log's earlier keys.
  --rpc URL      a node of the chain to which the log publishes its root, and
  --anchor ADDR  the AuditAnchor contract there: is the root of this file on chain?
  --reviews      replays each review verdict from the facts in its record, by the rules of this
                 build, and reports how many agree and which differ. Only the enclave attests
                 that the facts are what the page showed.
  --json         the result as one line of JSON: {verdict, exitCode, kind, steps, reviews?}

Exit code: 0 good; 1 bad: something was changed, dropped, duplicated or moved, or a verdict does not
follow from the rules; 2 incomplete: something that is needed to decide is missing; 3 good, but the
log runs in a simulated TEE, so its operator could have written anything; 64 not judged: wrong
usage, the file cannot be read, or with --reviews no verdict could be replayed.

Examples:
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:4022/api/v1/audit/export > log.jsonl
  countersign audit verify log.jsonl --key "$AUDIT_PUBLIC_KEY" --reviews
  countersign audit verify record.tlog-proof --key "$AUDIT_PUBLIC_KEY" --json
`;
