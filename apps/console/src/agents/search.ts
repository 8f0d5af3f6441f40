export type AgentsSearch = {
  readonly page?: number;
};

/** Reads the search parameters of the list; what does not fit is left out. */
export function readAgentsSearch(search: Record<string, unknown>): AgentsSearch {
  const page = Number(search['page']);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}
