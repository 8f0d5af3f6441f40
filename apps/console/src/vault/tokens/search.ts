/** Reads the page from the address. */
export function readPage(search: Record<string, unknown>): { readonly page?: number } {
  const page = Number(search['page']);
  return Number.isSafeInteger(page) && page >= 2 ? { page } : {};
}
