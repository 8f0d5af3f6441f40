/** What operators see beside their own affairs. */
const operatorViews = ['reviews', 'deny-list'] as const;

export type ComplianceSearch = {
  /** Absent: one's own identity, and screening. */
  readonly view?: (typeof operatorViews)[number];
  /** Reviews only: those that are decided. */
  readonly decided?: 'approved' | 'rejected';
  readonly page?: number;
};

/** Reads the search parameters of the page; what does not fit is left out. */
export function readComplianceSearch(search: Record<string, unknown>): ComplianceSearch {
  const view = operatorViews.find((each) => each === search['view']);
  const decided = (['approved', 'rejected'] as const).find((each) => each === search['decided']);
  const page = Number(search['page']);
  return {
    ...(view !== undefined && { view }),
    ...(view === 'reviews' && decided !== undefined && { decided }),
    ...(view !== undefined && Number.isInteger(page) && page > 1 && { page }),
  };
}
