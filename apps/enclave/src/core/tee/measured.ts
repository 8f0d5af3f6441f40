import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Place = readonly [name: string, at: number, bytes: number];

/** Intel's TDREPORT, from the start of the report body. */
const domain: readonly Place[] = [
  ['mrtd', 136, 48],
  ['rtmr0', 328, 48],
  ['rtmr1', 376, 48],
  ['rtmr2', 424, 48],
  ['rtmr3', 472, 48],
];
/** Intel's SGX_REPORT_BODY. */
const enclave: readonly Place[] = [
  ['mrenclave', 64, 32],
  ['mrsigner', 128, 32],
];
/** AMD's ATTESTATION_REPORT. */
const guest: readonly Place[] = [
  ['measurement', 0x90, 48],
  ['host-data', 0xc0, 32],
];

const header = 48;

/**
 * Returns the measurement that a quote or report states, in hex. The verifier reads the same from the quote
 * itself.
 */
export const measuredIn = {
  tdx: (quote: Buffer) => taken(domain, quote.subarray(quote.readUInt16LE(0) === 5 ? header + 6 : header)),
  sgx: (quote: Buffer) => taken(enclave, quote.subarray(header)),
  'sev-snp': (report: Buffer) => taken(guest, report),
} as const;

const taken = (places: readonly Place[], from: Buffer): Record<string, string> =>
  Object.fromEntries(places.map(([name, at, bytes]) => [name, from.toString('hex', at, at + bytes)]));

/** Intel's collateral, which the operator keeps in the data directory and renews; nothing where there is none. */
export async function collateralIn(dir: string): Promise<Record<string, string>> {
  try {
    return { collateral: await readFile(join(dir, 'collateral.json'), 'utf8') };
  } catch {
    return {};
  }
}
