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
  readonly crlFiles: readonly string[];
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
  crl: { type: 'string', multiple: true },
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
  if (source === undefined || others.length > 0) return fail('give one file or URL');
  const measurements = (values.measurement ?? []).map(readMeasurement);
  if (!measurements.every((one) => one !== null))
    return fail('--measurement must be NAME=HEX, such as mrtd=ab…');
  if (!/^[0-9a-fA-F]*$/.test(values.nonce ?? '')) return fail('--nonce must be hex');
  const at = readTime(values.at);
  if (at === undefined) return fail('--at must be a time, such as 2026-11-21T10:00:00Z');
  return ok({ source, measurements, at, ...withDefaults(values) });
}

type Values = {
  readonly [name in 'nonce' | 'policy' | 'collateral']?: string | undefined;
} & { readonly [name in 'chain' | 'crl']?: string[] | undefined } & { readonly json?: boolean | undefined };

const withDefaults = ({ nonce, policy, collateral, chain, crl, json }: Values) => ({
  nonce: nonce ?? null,
  policyFile: policy ?? null,
  collateralFile: collateral ?? null,
  chainFiles: chain ?? [],
  crlFiles: crl ?? [],
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

FILE may be - for standard input. Verifies the evidence of a trusted execution environment offline:
is it genuine hardware, is it the program you expect, and do the keys belong to it? Of a URL it
fetches the report.

  a report        keys and the quote that covers them: GET /api/v1/attestation/report?nonce=HEX,
                  also as the end of an export or bundle of the audit log
  bare evidence   a DCAP quote v3 (SGX), v4 or v5 (TDX), an SEV-SNP report, a Nitro document; it
                  does not show which keys it covers
  dstack          its answer to GetQuote, with the event log that is replayed into the registers

  --nonce HEX             the random value of your request; a URL without one gets it
  --measurement NAME=HEX  the expected measurement; may be repeated. Names: mrtd, rtmr0 to rtmr3,
                          compose-hash, app-id (TDX, dstack); mrenclave, mrsigner (SGX);
                          measurement, host-data (SEV-SNP); pcr0 to pcr15 (Nitro)
  --policy FILE           the same as JSON, and more: measurements, platforms, tcb, allow
                          (sept-ve, migratable, service-td, unknown-attributes), and snp
                          (minFirmware, maxVmpl, guestPolicy)
  --collateral FILE       Intel's collateral as JSON, as dcap-qvl has it; else that of the report
  --chain FILE            certificates of an AMD processor (PEM, DER or its table); repeatable
  --crl FILE              AMD's revocation list (DER); may be repeated
  --at TIME               judge as of this time instead of now
  --json                  one line of JSON: {verdict, exitCode, kind, evidence, steps}

Exit code: 0 good; 1 bad: forged, changed, in debug mode, other keys, another program, or no
evidence at all; 2 incomplete: something that is needed to decide is missing or out of date;
3 consistent, but the TEE is simulated and proves nothing; 64 not judged: wrong usage, or a file
cannot be read.

Examples:
  countersign attest verify https://vault.example/api/v1/attestation/report --nonce "$NONCE"
  countersign attest verify report.json --nonce "$NONCE" --measurement mrtd="$MRTD"
`;
