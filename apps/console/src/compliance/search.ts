/** What operators see beside their own affairs. */
const operatorViews = ['reviews', 'withdrawals', 'deny-list', 'history'] as const;
const topics = ['identities', 'deny-list', 'reads'] as const;

export type ComplianceSearch = {
  /** Absent: one's own identity, and screening. */
  readonly view?: (typeof operatorViews)[number];
  /** Reviews only: those that are decided. */
  readonly decided?: 'approved' | 'rejected';
  /** History only: what it is about. */
  readonly about?: (typeof topics)[number];
  /** History only: of one wallet. */
  readonly wallet?: string;
  readonly page?: number;
};

/** Reads the search parameters of the page; what does not fit is left out. */
export function readComplianceSearch(search: Record<string, unknown>): ComplianceSearch {
  const view = operatorViews.find((each) => each === search['view']);
  const decided = (['approved', 'rejected'] as const).find((each) => each === search['decided']);
  const about = topics.find((each) => each === search['about']);
  const wallet = search['wallet'];
  const page = Number(search['page']);
  return {
    ...(view !== undefined && { view }),
    ...(view === 'reviews' && decided !== undefined && { decided }),
    ...(view === 'history' && about !== undefined && { about }),
    ...(view === 'history' && isAddress(wallet) && { wallet }),
    ...(view !== undefined && Number.isInteger(page) && page > 1 && { page }),
  };
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
