/** In seconds. */
export const lifetimes = { '3600': '1 hour', '86400': '1 day', '604800': '1 week' } as const;

/** The values of the form. */
export type Draft = {
  readonly policy: string;
  readonly service: string;
  readonly action: string;
  readonly user: string;
  readonly condition: string;
  readonly maxExecutions: string;
  readonly lifetime: keyof typeof lifetimes;
};

export const emptyDraft: Draft = {
  policy: '',
  service: '',
  action: '',
  user: '',
  condition: '',
  maxExecutions: '10',
  lifetime: '86400',
};

/** Returns an error message for each invalid field. */
export function faultsOf({
  policy,
  service,
  action,
  maxExecutions,
}: Draft): Partial<Record<keyof Draft, string>> {
  const count = Number(maxExecutions);
  return {
    ...(policy === '' && { policy: 'Choose the policy that requires approval.' }),
    ...(service.trim() === '' && { service: 'Enter the name of the service.' }),
    ...(action.trim() === '' && { action: 'Enter the name of the action.' }),
    ...((!/^\d+$/.test(maxExecutions.trim()) || count < 1 || count > 1_000_000) && {
      maxExecutions: 'Enter a whole number from 1 to 1000000.',
    }),
  };
}

/** Returns the request's body; `now` is in milliseconds. */
export const bodyOf = (
  { policy, service, action, user, condition, maxExecutions, lifetime }: Draft,
  now: number,
) => ({
  policy_id: policy,
  service: service.trim(),
  action: action.trim(),
  ...(user.trim() !== '' && { user_id: user.trim() }),
  ...(condition.trim() !== '' && { condition: condition.trim() }),
  max_executions: Number(maxExecutions),
  expires_at: new Date(now + Number(lifetime) * 1000).toISOString(),
});
