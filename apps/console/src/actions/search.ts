/** `all`: history too, not only what waits for a person. */
export type ActionsSearch = { readonly view?: 'all'; readonly page?: number };

/** Reads the view from the address; what does not fit is left out. */
export function readActionsSearch({ view, page }: Record<string, unknown>): ActionsSearch {
  return {
    ...(view === 'all' && { view }),
    ...(Number.isSafeInteger(Number(page)) && Number(page) >= 2 && { page: Number(page) }),
  };
}
