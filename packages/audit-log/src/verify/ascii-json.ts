/**
 * Returns one line of JSON that is safe to print on a terminal: characters outside printable ASCII, as a
 * hostile file may hold, are escaped.
 */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
