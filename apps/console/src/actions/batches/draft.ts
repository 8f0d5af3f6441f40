/** In seconds. */
export const lifetimes = { '3600': '1 hour', '86400': '1 day', '604800': '1 week' } as const;

/** What stands in the form. */
export type Draft = {
  readonly policy: string;
  readonly service: string;
  readonly action: string;
  readonly user: string;
  readonly condition: string;
  readonly most: string;
  readonly lifetime: keyof typeof lifetimes;
};

export const emptyDraft: Draft = {
  policy: '',
  service: '',
  action: '',
  user: '',
  condition: '',
  most: '10',
  lifetime: '86400',
};

/** What is wrong with it and how to put it right. */
export function faultsOf({ policy, service, action, most }: Draft): Partial<Record<keyof Draft, string>> {
  const count = Number(most);
  return {
    ...(policy === '' && { policy: 'Choose the policy that asks for a person.' }),
    ...(service.trim() === '' && { service: 'Write the name of the service.' }),
    ...(action.trim() === '' && { action: 'Write the name of the action.' }),
    ...((!/^\d+$/.test(most.trim()) || count < 1 || count > 1_000_000) && {
      most: 'Write a whole number from 1 to 1000000.',
    }),
  };
}

/** What is sent; `now` in milliseconds. */
export const bodyOf = ({ policy, service, action, user, condition, most, lifetime }: Draft, now: number) => ({
  policy_id: policy,
  service: service.trim(),
  action: action.trim(),
  ...(user.trim() !== '' && { user_id: user.trim() }),
  ...(condition.trim() !== '' && { condition: condition.trim() }),
  max_executions: Number(most),
  expires_at: new Date(now + Number(lifetime) * 1000).toISOString(),
});
