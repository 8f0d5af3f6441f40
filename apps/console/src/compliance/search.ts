/** The views of operators besides their own data. */
const operatorViews = [
  'reviews',
  'businesses',
  'payees',
  'unknown-payees',
  'withdrawals',
  'deny-list',
  'history',
] as const;
const topics = ['identities', 'payees', 'deny-list', 'reads'] as const;
const payeeStates = ['waiting', 'admitted', 'expired', 'withdrawn'] as const;

export type ComplianceSearch = {
  /** Absent: one's own identity, and screening. */
  readonly view?: (typeof operatorViews)[number];
  /** Reviews only: those that are decided. */
  readonly decided?: 'approved' | 'rejected';
  /** History only: what it is about. */
  readonly about?: (typeof topics)[number];
  /** History only: of one wallet. */
  readonly wallet?: string;
  /** Payees only: those in this state. */
  readonly state?: (typeof payeeStates)[number];
  /** Businesses only: those that are decided. */
  readonly business?: 'admitted' | 'rejected';
  /** Businesses only: the one that is open. */
  readonly submission?: string;
  /** Unknown payees only: those that were turned away. */
  readonly turned?: 'away';
  /** Payees: the record that is open. History: of one record. */
  readonly payee?: string;
  readonly page?: number;
};

/** Reads the search parameters of the page; what does not fit is left out. */
export function readComplianceSearch(search: Record<string, unknown>): ComplianceSearch {
  const view = oneOf(operatorViews, search['view']);
  if (view === undefined) return {};
  const page = Number(search['page']);
  return {
    view,
    ...(view === 'reviews' && given('decided', oneOf(['approved', 'rejected'] as const, search['decided']))),
    ...(view === 'history' && ofHistory(search)),
    ...(view === 'payees' && given('state', oneOf(payeeStates, search['state']))),
    ...(view === 'businesses' &&
      given('business', oneOf(['admitted', 'rejected'] as const, search['business']))),
    ...(view === 'businesses' && given('submission', textThat(isId, search['submission']))),
    ...(view === 'unknown-payees' && given('turned', oneOf(['away'] as const, search['turned']))),
    ...((view === 'payees' || view === 'history') && given('payee', textThat(isId, search['payee']))),
    ...(Number.isInteger(page) && page > 1 && { page }),
  };
}

const ofHistory = (search: Record<string, unknown>): ComplianceSearch => ({
  ...given('about', oneOf(topics, search['about'])),
  ...given('wallet', textThat(isAddress, search['wallet'])),
});

const oneOf = <T extends string>(words: readonly T[], value: unknown): T | undefined =>
  words.find((each) => each === value);

const textThat = (fits: (text: string) => boolean, value: unknown): string | undefined =>
  typeof value === 'string' && fits(value) ? value : undefined;

const given = <K extends string, T>(name: K, value: T | undefined): { readonly [P in K]?: T } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: T });

const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);

const isId = (text: string): boolean => /^pay_[\w-]{1,60}$/.test(text);
