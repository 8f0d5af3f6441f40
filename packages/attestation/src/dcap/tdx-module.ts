import { fail, ok, type Result } from '@countersign/protocol/result';
import type { TdFacts } from './quote.ts';
import { levelOf, type ModuleStatus, masked } from './quoting-enclave.ts';
import type { TcbInfo } from './tcb-info.ts';

/**
 * Whether the TDX module that runs the guest is one of Intel's, and what Intel says of its version. The second byte of
 * TEE_TCB_SVN is the module's version; modules of version 0 are judged by the levels of the platform alone, so there
 * is no status. Source: Intel's Quote Verification Library, 4.1.2.4.11 and 4.1.2.4.17.4.
 */
export function judgeTdxModule(td: TdFacts, info: TcbInfo): Result<ModuleStatus | null, string> {
  const version = td.teeTcbSvn[1] ?? 0;
  const identity = version === 0 ? info.tdxModule : moduleOf(version, info);
  if (identity === undefined)
    return fail(`Intel’s TCB info does not know a TDX module of version ${version}`);
  const attributes = masked(td.seamAttributes, identity.attributesMask);
  // Intel's own library refuses any attribute, whatever identity and mask say.
  const isPlain = td.seamAttributes.every((byte) => byte === 0) && attributes === identity.attributes;
  if (td.mrSignerSeam !== identity.mrsigner)
    return fail('the TDX module is not signed by Intel (MRSIGNERSEAM)');
  if (!isPlain) return fail('the TDX module runs with attributes that Intel does not allow (SEAMATTRIBUTES)');
  if (version === 0) return ok(null);
  const level = levelOf(td.teeTcbSvn[0] ?? 0, moduleOf(version, info)?.tcbLevels ?? []);
  return level === null ? fail('the TDX module is older than any that Intel supports') : ok(level);
}

/** The identity of the modules of a version from 1; undefined where Intel tells none. */
export const moduleOf = (version: number, { tdxModuleIdentities }: TcbInfo) =>
  tdxModuleIdentities.find(({ id }) => id === `TDX_${version.toString(16).toUpperCase().padStart(2, '0')}`);
