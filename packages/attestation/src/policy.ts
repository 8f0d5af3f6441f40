import { fails, holds, missing, type Step, step, told } from '@countersign/audit-log/verify/report';
import { z } from 'zod';
import type { Signed } from './evidence.ts';
import { tdRuleNames, tdSteps } from './dcap/td-policy.ts';
import { isHex } from './hex.ts';
import { snpRequirements, snpSteps } from './sev-snp/snp-policy.ts';

const measurement = z
  .string()
  .refine((text) => text !== '' && isHex(text.replace(/^sim:/, '')), 'must be hex')
  .transform((text) => text.toLowerCase());
const name = z.string().transform((text) => text.toLowerCase());

/**
 * What the reader of a report accepts. Every member that is present must hold; one match among several values
 * is enough.
 */
export const policy = z.strictObject({
  /** Hex by name, such as `mrtd`, `compose-hash`, `mrenclave`, `measurement` or `pcr0`. */
  measurements: z.record(name, z.array(measurement).min(1)).optional(),
  /** Judgements of Intel's that are accepted although they are not among `soundTcb`. */
  tcb: z.array(z.string()).optional(),
  /** The machines it may run on: PPID, chip id or Nitro module. */
  platforms: z.array(z.string().transform((text) => text.toLowerCase())).optional(),
  /** Properties of a TDX guest that are accepted although they are refused by default. */
  allow: z.array(z.enum(tdRuleNames)).optional(),
  /** Requirements on an SEV-SNP guest and its firmware. */
  snp: snpRequirements.optional(),
});
export type Policy = z.infer<typeof policy>;

/** Intel's judgements by which no firmware update is missing. */
const soundTcb = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
] as const;

/** Holds what was signed against the policy. `isWhole` says that a whole report is judged, not vendor evidence alone. */
export function checkPolicy(signed: Signed, policy: Policy, isWhole: boolean): readonly Step[] {
  return [
    ...measurementSteps(signed.measurements, policy.measurements ?? {}, isWhole),
    ...tcbSteps(signed.tcb, policy.tcb ?? []),
    ...platformSteps(signed.platform, policy.platforms),
    ...tdSteps(signed.td, policy.allow ?? []),
    ...snpSteps(signed.snp, policy.snp ?? {}),
  ];
}

function measurementSteps(
  measured: Signed['measurements'],
  allowed: Readonly<Record<string, readonly string[]>>,
  isWhole: boolean,
): readonly Step[] {
  const used = Object.entries(measured).filter(([, value]) => !/^(00)*$/.test(value));
  const list = used.map(([name, value]) => told(`measured: ${name}=${value}`));
  const names = Object.keys(allowed);
  if (names.length === 0)
    return [
      ...list,
      isWhole
        ? missing('the program was not checked: pass the expected measurement with --measurement')
        : told('the program was not checked: no --measurement was given'),
    ];
  return [...list, ...names.map((name) => measurementStep(name, measured[name], allowed[name] ?? []))];
}

function measurementStep(name: string, value: string | undefined, allowed: readonly string[]): Step {
  if (value === undefined) return fails(`the evidence has no measurement ${name}`);
  return step(
    allowed.includes(value),
    `${name} is one that you allow`,
    `${name} is not one that you allow: another program or another version runs`,
  );
}

function tcbSteps(tcb: string | null, accepted: readonly string[]): readonly Step[] {
  if (tcb === null || (soundTcb as readonly string[]).includes(tcb)) return [];
  return [
    accepted.includes(tcb)
      ? holds(`you accept a machine that is ${tcb}`)
      : missing(
          `the machine is genuine, but ${tcb}: decide whether you accept that, with "tcb" in a --policy`,
        ),
  ];
}

function platformSteps(platform: string | null, allowed: readonly string[] | undefined): readonly Step[] {
  const which = platform === null ? [] : [told(`machine: ${platform}`)];
  if (allowed === undefined) return which;
  if (platform === null) return [missing('the evidence does not say which machine it is of')];
  return [
    ...which,
    step(
      allowed.includes(platform.toLowerCase()),
      'the machine is one that you allow',
      'the machine is not one that you allow',
    ),
  ];
}
