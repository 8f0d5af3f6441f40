/**
 * The URL of a text, as the URL standard reads it; null where it is none. INVARIANT: nobody asks `URL.canParse`: in Node 20
 * and 22 it says false of a text with a letter like `ü` once it has been called some thousand times (it is compiled to
 * a call that takes Latin-1 for UTF-8), so that an address would be judged as none.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Returns whether a text is a URL. */
export const isUrl = (text: string, base?: string | URL): boolean => parseUrl(text, base) !== null;
