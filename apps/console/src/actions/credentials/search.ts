/** `due`: those alone that are to be rotated by now. */
export type CredentialsSearch = { readonly view?: 'due'; readonly page?: number };

/** Reads the view from the address; what does not fit is left out. */
export function readServiceCredentialsSearch({ view, page }: Record<string, unknown>): CredentialsSearch {
  return {
    ...(view === 'due' && { view }),
    ...(Number.isSafeInteger(Number(page)) && Number(page) >= 2 && { page: Number(page) }),
  };
}
