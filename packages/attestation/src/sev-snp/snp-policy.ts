import { missing, type Step, step } from '@countersign/audit-log/verify/report';
import { z } from 'zod';
import { firmwareParts, type GuestPolicy, guestPolicyNames, type SnpFacts } from './report.ts';

const byte = z.int().min(0).max(255);

/** A reader's requirements on an SEV-SNP guest. An absent member requires nothing. */
export const snpRequirements = z.strictObject({
  /** Least versions of parts of the firmware. */
  minFirmware: z.partialRecord(z.enum(firmwareParts), byte).optional(),
  /** The lowest privilege that may have asked, 0 (highest) to 3. */
  maxVmpl: z.int().min(0).max(3).optional(),
  /** Requirements on the guest's policy. */
  guestPolicy: z
    .partialRecord(z.enum(guestPolicyNames as [keyof GuestPolicy, ...(keyof GuestPolicy)[]]), z.boolean())
    .optional(),
});
type SnpRequirements = z.infer<typeof snpRequirements>;

/** Each requirement as a step of its own. */
export function snpSteps(snp: SnpFacts | null, required: SnpRequirements): readonly Step[] {
  const isAsked = Object.values(required).some((one) => one !== undefined);
  if (snp === null)
    return isAsked ? [missing('the policy requires an SEV-SNP guest, and this is not one')] : [];
  const { maxVmpl } = required;
  return [
    ...firmwareSteps(snp.firmware, required.minFirmware ?? {}),
    ...(maxVmpl === undefined
      ? []
      : [
          step(
            snp.vmpl <= maxVmpl,
            `VMPL${snp.vmpl} is a privilege level that you allow`,
            `VMPL${snp.vmpl} is less privileged than you allow: something else in the guest asked`,
          ),
        ]),
    ...policySteps(snp.guestPolicy, required.guestPolicy ?? {}),
  ];
}

function firmwareSteps(
  firmware: SnpFacts['firmware'],
  least: NonNullable<SnpRequirements['minFirmware']>,
): readonly Step[] {
  return firmwareParts.flatMap((part) => {
    const wanted = least[part];
    if (wanted === undefined) return [];
    const version = firmware?.[part];
    if (version === undefined)
      return [missing(`which version of the firmware’s ${part} runs cannot be told from what was given`)];
    return [
      step(
        version >= wanted,
        `the firmware’s ${part} is of version ${version}, and you ask for ${wanted}`,
        `the firmware’s ${part} is of version ${version}, older than the ${wanted} that you ask for`,
      ),
    ];
  });
}

const policySteps = (
  policy: GuestPolicy,
  required: NonNullable<SnpRequirements['guestPolicy']>,
): readonly Step[] =>
  guestPolicyNames.flatMap((name) => {
    const wanted = required[name];
    if (wanted === undefined) return [];
    const text = (is: boolean): string => (is ? 'yes' : 'no');
    return [
      step(
        policy[name] === wanted,
        `the guest’s policy says ${text(wanted)} to ${name}, as you ask`,
        `the guest’s policy says ${text(policy[name])} to ${name}, and you ask for ${text(wanted)}`,
      ),
    ];
  });
