import { fail, ok, type Result } from '@countersign/protocol/result';
import type { ModuleLevels, QeIdentity } from './tcb-info.ts';

/** Intel's status of a TDX module or quoting enclave of one version. */
export type ModuleStatus = ModuleLevels[number];

/**
 * Whether the enclave that made the quote is Intel's, and what Intel says of its version. `report` is its SGX report
 * (384 bytes). Source: Intel's Quote Verification Library, 4.1.2.9.
 */
export function judgeQuotingEnclave(
  report: Buffer,
  tee: 'sgx' | 'tdx',
  identity: QeIdentity,
): Result<ModuleStatus, string> {
  if (identity.id !== (tee === 'tdx' ? 'TD_QE' : 'QE'))
    return fail('the identity of the quoting enclave is that of another kind of TEE');
  const isSame =
    masked(report.subarray(16, 20), identity.miscselectMask) === identity.miscselect &&
    masked(report.subarray(48, 64), identity.attributesMask) === identity.attributes &&
    report.toString('hex', 128, 160) === identity.mrsigner &&
    report.readUInt16LE(256) === identity.isvprodid;
  if (!isSame) return fail('the quoting enclave is not Intel’s');
  const debug = 2;
  if (((report[48] ?? 0) & debug) !== 0) return fail('the quoting enclave runs in debug mode');
  const level = levelOf(report.readUInt16LE(258), identity.tcbLevels);
  return level === null ? fail('the quoting enclave is older than any that Intel supports') : ok(level);
}

/** The newest level that a version reaches; null when it reaches none. */
export const levelOf = (version: number, levels: ModuleLevels): ModuleStatus | null =>
  levels.find(({ tcb }) => version >= tcb.isvsvn) ?? null;

/** Hex of the bits that count, in the order in which they stand in a report and in Intel's identities. */
export function masked(bytes: Buffer, mask: string): string {
  const kept = Buffer.from(mask, 'hex');
  return Buffer.from(bytes.map((byte, i) => byte & (kept[i] ?? 0))).toString('hex');
}
