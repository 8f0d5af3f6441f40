type View = 'invitations' | 'changes';
type Search = { view?: View; page?: number };

/** Which list, and of the changes which page. */
export function readPeopleSearch({ view, page }: Record<string, unknown>): Search {
  if (view === 'invitations') return { view };
  if (view !== 'changes') return {};
  return Number.isInteger(page) && Number(page) > 1 ? { view, page: Number(page) } : { view };
}
