/**
 * What has no shape of its own or turns the reading order, but for line feeds and the variants of emoji: with it, a text
 * that somebody is to approve could read as another one (CVE-2021-42574).
 */
const unseen = /(?!\n|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Another party's text with each such character as its code, as JSON would write it. JSON stays the same JSON. */
export const legible = (text: string): string =>
  text.replace(unseen, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
