/** A cookie of the browser, as far as it may be that of a log-in. */
export type Cookie = { readonly name: string; readonly value: string; readonly isHttpOnly: boolean };
