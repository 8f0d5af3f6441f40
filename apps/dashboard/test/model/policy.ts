/** A policy in the model's own terms; null lifts a rule. */
export type Policy = {
  readonly paused: boolean;
  readonly period: { readonly every: 'day' | 'week' | 'month'; readonly budget: bigint } | null;
  readonly merchants: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly threshold: bigint | null;
};

export const noPolicy: Policy = {
  paused: false,
  period: null,
  merchants: null,
  services: null,
  threshold: null,
};

type Named = { readonly payee?: string | undefined; readonly serviceId?: string | undefined };

export const listRefuses = ({ merchants, services }: Policy, { payee, serviceId }: Named): boolean =>
  !isOn(merchants, payee) || !isOn(services, serviceId);

const isOn = (list: readonly string[] | null, name: string | undefined): boolean =>
  list === null || (name !== undefined && list.includes(name));

/** What this period's payments leave of its budget; null without one. */
export function periodLeft(
  { period }: Policy,
  uses: readonly { readonly at: number; readonly amount: bigint }[],
  now: number,
): bigint | null {
  if (period === null) return null;
  const start = startOf[period.every](new Date(now));
  const used = uses.filter(({ at }) => at >= start).reduce((sum, { amount }) => sum + amount, 0n);
  return period.budget - used;
}

const startOf = {
  day: (now: Date) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()),
  week: (now: Date) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ((now.getUTCDay() + 6) % 7)),
  month: (now: Date) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1),
};
