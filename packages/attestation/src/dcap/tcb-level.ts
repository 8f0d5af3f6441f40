import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Processor } from './pck-certificate.ts';
import type { TdFacts } from './quote.ts';
import type { ModuleStatus } from './quoting-enclave.ts';
import { moduleOf } from './tdx-module.ts';
import type { TcbInfo, TcbLevel } from './tcb-info.ts';

/** Intel's judgement of a machine. The last two: out of date by the TDX module alone, and a newer one waits for a relaunch. */
export type TcbStatus = TcbLevel['tcbStatus'] | 'TDRelaunchAdvised' | 'TDRelaunchAdvisedConfigurationNeeded';

/** The levels that a machine reaches: by its processor, and with the TDX versions of the guest. */
type Reached = { readonly sgx: TcbLevel; readonly tdx: TcbLevel | null };

/** The newest levels that a machine reaches. `td` is null for SGX. Source: Intel's Quote Verification Library, 4.1.2.4.17. */
export function reachedLevels(
  { cpuSvn, pceSvn }: Processor,
  td: TdFacts | null,
  { tcbLevels }: TcbInfo,
): Result<Reached, string> {
  const reached = tcbLevels.filter(
    ({ tcb }) => pceSvn >= tcb.pcesvn && reaches(cpuSvn, tcb.sgxtcbcomponents, 0),
  );
  const [sgx] = reached;
  const tdx = td === null ? null : reached.find(({ tcb }) => reachesTdx(td.teeTcbSvn, tcb.tdxtcbcomponents));
  return sgx === undefined || tdx === undefined
    ? fail('its firmware is older than any that Intel supports')
    : ok({ sgx, tdx });
}

/**
 * Returns whether the TDX module reaches a level. If the module has its own version, its identity decides
 * about the first two bytes (TEE_TCB_SVN).
 */
const reachesTdx = (svn: Buffer, wanted: readonly number[] | undefined): boolean =>
  wanted !== undefined && reaches(svn, wanted, (svn[1] ?? 0) > 0 ? 2 : 0);

const reaches = (svn: ArrayLike<number>, wanted: readonly number[], from: number): boolean =>
  wanted.every((least, i) => i < from || (svn[i] ?? 0) >= least);

/** All that was judged of a machine. */
export type Judged = Reached & {
  readonly td: TdFacts | null;
  /** Null for SGX, and where its version is 0. */
  readonly tdxModule: ModuleStatus | null;
  readonly quotingEnclave: ModuleStatus;
};

/** Intel's judgement of the whole: that of the level, made worse by an older module or quoting enclave. */
export function platformStatus(judged: Judged, info: TcbInfo): Result<TcbStatus, string> {
  const { sgx, tdx, tdxModule, quotingEnclave } = judged;
  const ofLevel = worsened((tdx ?? sgx).tcbStatus, tdxModule);
  const relaunched = withRelaunch(judged, ofLevel, info);
  if (!relaunched.ok) return relaunched;
  const status = worsened(relaunched.value, quotingEnclave);
  return status === 'Revoked' ? fail('Intel has revoked its firmware') : ok(status);
}

/** A level's status with that of a module or enclave. */
function worsened(status: TcbStatus, part: ModuleStatus | null): TcbStatus {
  if (part?.tcbStatus === 'Revoked') return 'Revoked';
  if (part?.tcbStatus !== 'OutOfDate') return status;
  if (status === 'UpToDate' || status === 'SWHardeningNeeded') return 'OutOfDate';
  const needsConfiguration =
    status === 'ConfigurationNeeded' || status === 'ConfigurationAndSWHardeningNeeded';
  return needsConfiguration ? 'OutOfDateConfigurationNeeded' : status;
}

/**
 * A guest of TDX 1.5 that started under an older module, on a machine that has the newest one now, needs a relaunch
 * alone (TEE_TCB_SVN_2). Source: Intel's Quote Verification Library, 4.1.2.4.17.4.3.
 */
function withRelaunch(judged: Judged, status: TcbStatus, info: TcbInfo): Result<TcbStatus, string> {
  const now = judged.td?.teeTcbSvn2 ?? null;
  if (now === null || !isOldByModuleAlone(judged, status)) return ok(status);
  const newest = newestVersions(now[1] ?? 0, info);
  if (newest === null) return fail(`Intel’s TCB info does not know a TDX module of version ${now[1]}`);
  const isNewest = (now[0] ?? 0) >= newest.module && (now[2] ?? 0) >= newest.microcode;
  if (!isNewest) return ok(status);
  const needsConfiguration = [judged.sgx.tcbStatus, status].some((one) => one.includes('Configuration'));
  return ok(needsConfiguration ? 'TDRelaunchAdvisedConfigurationNeeded' : 'TDRelaunchAdvised');
}

const isOldByModuleAlone = ({ sgx, tdxModule, quotingEnclave }: Judged, status: TcbStatus): boolean =>
  quotingEnclave.tcbStatus === 'UpToDate' &&
  tdxModule?.tcbStatus === 'OutOfDate' &&
  isOld(status) &&
  !isOld(sgx.tcbStatus) &&
  sgx.tcbStatus !== 'Revoked';

const isOld = (status: TcbStatus): boolean => status.startsWith('OutOfDate');

/** The newest module of a version, and the microcode of the newest level; null where Intel tells no such module. */
function newestVersions(version: number, info: TcbInfo) {
  const components = info.tcbLevels[0]?.tcb.tdxtcbcomponents;
  const module = version === 0 ? components?.[0] : moduleOf(version, info)?.tcbLevels[0]?.tcb.isvsvn;
  const microcode = components?.[2];
  return module === undefined || microcode === undefined ? null : { module, microcode };
}
