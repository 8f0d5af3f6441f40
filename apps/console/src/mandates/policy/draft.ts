import type { MandatePolicy, PolicyPeriod } from '@countersign/protocol/dashboard/policy';
import { parseAmount, zero } from '@countersign/protocol/decimal';
import { fail, ok, type Result } from '@countersign/protocol/result';

/** A policy as it stands in the form: text, and lists with one entry a line. */
export type PolicyDraft = {
  readonly every: PolicyPeriod | 'never';
  readonly budget: string;
  readonly threshold: string;
  readonly merchants: 'any' | 'listed';
  readonly merchantList: string;
  readonly services: 'any' | 'listed';
  readonly serviceList: string;
  readonly newPayees: 'pay' | 'ask';
};

type Fault = Partial<Record<keyof PolicyDraft, string>>;

const listed = (entries: readonly string[] | null): string => entries?.join('\n') ?? '';

export const draftOf = (policy: MandatePolicy): PolicyDraft => ({
  every: policy.period?.every ?? 'never',
  budget: policy.period?.budget ?? '',
  threshold: policy.approvalThreshold ?? '',
  merchants: policy.allowedMerchants === null ? 'any' : 'listed',
  merchantList: listed(policy.allowedMerchants),
  services: policy.allowedServices === null ? 'any' : 'listed',
  serviceList: listed(policy.allowedServices),
  newPayees: policy.newPayees ?? 'pay',
});

const linesOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** Returns the draft's policy without `paused`, or an error message for each invalid field. */
export function readDraft(draft: PolicyDraft): Result<Omit<MandatePolicy, 'paused'>, Fault> {
  const { every, budget, threshold } = draft;
  const merchants = draft.merchants === 'any' ? null : linesOf(draft.merchantList);
  const services = draft.services === 'any' ? null : linesOf(draft.serviceList);
  const faults: Fault = {
    ...(every !== 'never' && !isPositive(budget) && { budget: 'Enter an amount, such as 12.50.' }),
    ...(threshold !== '' &&
      parseAmount(threshold) === null && { threshold: 'Enter an amount, such as 0.50, or leave it empty.' }),
    ...listFault('merchantList', merchants, (line) => /^0x[0-9a-fA-F]{40}$/.test(line), 'not an address'),
    ...listFault('serviceList', services, (line) => line.length <= 64, 'not a service name'),
  };
  if (Object.keys(faults).length > 0) return fail(faults);
  return ok({
    period: every === 'never' ? null : { every, budget },
    approvalThreshold: threshold === '' ? null : threshold,
    // The server reads and checks the addresses.
    allowedMerchants: merchants as MandatePolicy['allowedMerchants'],
    allowedServices: services,
    newPayees: draft.newPayees,
  });
}

const isPositive = (text: string): boolean => (parseAmount(text) ?? zero) > 0n;

function listFault(
  name: 'merchantList' | 'serviceList',
  lines: readonly string[] | null,
  fits: (line: string) => boolean,
  what: string,
): Fault {
  if (lines === null) return {};
  if (lines.length > 100) return { [name]: 'The list can have at most 100 entries. Remove some.' };
  const odd = lines.find((line) => !fits(line));
  return odd === undefined ? {} : { [name]: `“${odd.slice(0, 24)}” is ${what}.` };
}
