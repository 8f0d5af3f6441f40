import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';

export type Arguments = {
  /** A file, `-` for standard input, or the http or https URL of a report. */
  readonly source: string;
  readonly nonce: string | null;
  /** Hex by name, as they were given. */
  readonly measurements: readonly (readonly [name: string, value: string])[];
  readonly policyFile: string | null;
  readonly collateralFile: string | null;
  readonly chainFiles: readonly string[];
  /** Null for the machine's clock. */
  readonly at: Date | null;
  readonly json: boolean;
};

const types = {
  nonce: { type: 'string' },
  measurement: { type: 'string', multiple: true },
  policy: { type: 'string' },
  collateral: { type: 'string' },
  chain: { type: 'string', multiple: true },
  at: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export function readArguments(argv: readonly string[]): Result<Arguments | 'help', string> {
  const parsed = tryToParse(argv);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const [source, ...others] = positionals;
  if (source === undefined || others.length > 0) return fail('name one file or URL');
  const measurements = (values.measurement ?? []).map(readMeasurement);
  if (!measurements.every((one) => one !== null)) return fail('--measurement is NAME=HEX, such as mrtd=ab…');
  if (!/^[0-9a-fA-F]*$/.test(values.nonce ?? '')) return fail('--nonce is hex');
  const at = readTime(values.at);
  if (at === undefined) return fail('--at is a time, such as 2026-11-21T10:00:00Z');
  return ok({ source, measurements, at, ...withDefaults(values) });
}

type Values = {
  readonly [name in 'nonce' | 'policy' | 'collateral']?: string | undefined;
} & { readonly chain?: string[] | undefined; readonly json?: boolean | undefined };

const withDefaults = ({ nonce, policy, collateral, chain, json }: Values) => ({
  nonce: nonce ?? null,
  policyFile: policy ?? null,
  collateralFile: collateral ?? null,
  chainFiles: chain ?? [],
  json: json === true,
});

/** Undefined when it is no time, null when none was given. */
function readTime(text: string | undefined): Date | null | undefined {
  if (text === undefined) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function tryToParse(argv: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...argv], options: types, allowPositionals: true }));
  } catch (error) {
    return fail(error instanceof Error ? error.message.replace(/\.$/, '') : String(error));
  }
}

function readMeasurement(text: string): readonly [string, string] | null {
  const found = /^([\w-]+)=((?:sim:)?(?:[0-9a-fA-F]{2})+)$/.exec(text);
  return found === null ? null : [found[1]?.toLowerCase() ?? '', found[2]?.toLowerCase() ?? ''];
}

export const help = `countersign attest verify FILE|URL [OPTION]...

FILE may be - for standard input. Checks what a trusted execution environment says of itself, without asking anybody: is it genuine hardware, is it the
program that you expect, and do the keys belong to it? Only a URL makes it use the network, for the report alone.

  a report        keys and the quote that vouches for them    GET /api/v1/attestation/report?nonce=HEX
                  also where it ends an export or a bundle of the audit log
  bare evidence   a DCAP quote v3 (SGX), v4 or v5 (TDX); an SEV-SNP report; a Nitro document (COSE_Sign1); as bytes, in hex or in base64
  dstack          its answer to GetQuote, with the event log that is replayed into RTMR0 to RTMR3

It follows the signatures up to the root of Intel, AMD or AWS, which are built in; sees whether debug mode is off; whether
the quote was made over exactly these keys and your nonce; and tells what was measured. Of bare evidence nobody can say
which keys it vouches for; the output says so.

  --nonce HEX             the random value that you asked with; of a URL without one it is added to the query
  --measurement NAME=HEX  what the right program measures, from its build; may be given again: all names must hold, and
                          of one name any value. Names: mrtd, rtmr0 to rtmr3, compose-hash, app-id (TDX, dstack);
                          mrenclave, mrsigner (SGX); measurement, host-data (SEV-SNP); pcr0 to pcr15 (Nitro)
  --policy FILE           the same as JSON, and more: {"measurements": {"mrtd": ["ab…"]}, "platforms": ["<machine>"],
                          "tcb": ["OutOfDate"]}: machines that are allowed, Intel's judgements that are accepted
  --collateral FILE       Intel's collateral as JSON, in the form of dcap-qvl; else the one in the report is used
  --chain FILE            certificates of an AMD processor: PEM, DER or the table that comes with the report; may be given again
  --at TIME               judge as of this time instead of now
  --json                  the result as one line of JSON: {verdict, exitCode, kind, evidence, steps: [{outcome, what}]}, and
                          where nothing was judged {verdict: "none", exitCode, error}

Exit code: 0 good; 1 bad: forged, changed, in debug mode, other keys, another program, or no evidence at all; 2 incomplete:
something that is needed to decide is missing or out of date; 3 consistent, but the TEE is simulated and proves nothing; 64 nothing was
judged: the call is wrong, or what it names cannot be read.

Examples:
  countersign attest verify http://127.0.0.1:4022/api/v1/attestation/report --nonce "$(openssl rand -hex 16)"
  countersign attest verify report.json --nonce "$NONCE" --measurement mrtd="$MRTD" --measurement rtmr3="$RTMR3"
  countersign attest verify quote.bin --collateral collateral.json --at 2026-11-01T00:00:00Z
`;
