/** One line of JSON for programs that a terminal may show: what is not plain ASCII in a hostile file stands in it by its code. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
