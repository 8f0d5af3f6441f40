import { z } from 'zod';

/**
 * Viramas (canonical combining class 9, Unicode 16): after one of them a joiner changes how a conjunct is written, which
 * is spelling in Indic scripts.
 */
const viramas =
  '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715' +
  '\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed' +
  '\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}' +
  '\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{11a34}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}';

const cursive = ['Arabic', 'Syriac', 'Mandaic', 'Mongolian', 'Nko', 'Adlam', 'Hanifi_Rohingya']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

const mongolian = '[\\p{Script=Mongolian}&&\\p{L}]';
const mongolianVariants = '[\\u180b-\\u180d\\u180f]';

/** Invisible characters that are spelling where they stand. The `v` flag knows the emoji that are sequences. */
const spelling = [
  // An emoji of several parts, or one with the character that says how it is shown; digits only as keycaps.
  '\\p{RGI_Emoji}',
  '[\\p{Emoji}--[0-9#*]][\\ufe0e\\ufe0f]',
  '[0-9#*][\\ufe0e\\ufe0f](?=\\u20e3)',
  // RFC 5892, A.1 and A.2: a joiner after a virama; a non-joiner also between letters that would join, as in Persian.
  `(?<=[${viramas}])[\\u200c\\u200d]`,
  `(?<=[${cursive}]\\p{M}*)\\u200c(?=\\p{M}*[${cursive}])`,
  // An Arabic suffix of a Latin word or a number.
  '(?<=[\\p{Script=Latin}\\p{N}]\\p{M}*)\\u200c(?=[\\p{Script=Arabic}&&\\p{L}])',
  // RA that keeps its shape before a virama, in Bengali, Assamese and Kannada.
  '(?<=[\\u09b0\\u09f0])\\u200d(?=\\u09cd\\p{L})',
  '(?<=\\u0cb0)\\u200d(?=\\u0ccd\\p{L})',
  // Variants of an ideograph (UTS 37), and of Mongolian letters with their vowel separator.
  '(?<=\\p{Ideographic})[\\u{e0100}-\\u{e01ef}]',
  `(?<=${mongolian})${mongolianVariants}`,
  `(?<=${mongolian}${mongolianVariants}?)\\u180e(?=${mongolian})`,
].join('|');
const spelled = new RegExp(spelling, 'gv');

/** Emoji that are joined. Whether their sequence has a picture of its own is another matter. */
const joined = new RegExp(
  '\\p{Extended_Pictographic}[\\ufe0f\\p{EMod}]?(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\p{EMod}]?)+',
  'gv',
);
const oneEmoji = new RegExp('^\\p{RGI_Emoji}$', 'v');

/**
 * Returns whether a sequence is one emoji, whichever skin tones it has and whether or not it says how its
 * parts are shown.
 */
function isOneEmoji(sequence: string): boolean {
  if (oneEmoji.test(sequence)) return true;
  const parts = sequence.replace(/[\ufe0f\p{EMod}]/gu, '').split('\u200d');
  const qualified = parts.map((part) => (/^\p{EPres}/u.test(part) ? part : `${part}\ufe0f`));
  return oneEmoji.test(qualified.join('\u200d'));
}

/**
 * Characters that are invisible, change the reading order or control a terminal. U+2800 is a Braille pattern
 * without dots.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800]|\p{Cs}/u;

/**
 * The first character of a name that nobody can see or that turns what is read, as `U+202E`; null when there is none.
 * Decided as RFC 8264 does for names that people choose (FreeformClass with the joiners' rules of RFC 5892) and UTS 39:
 * every script's letters, marks and spaces are allowed, joiners and variants where they are spelling, and emoji (UTS 51).
 */
export function unseenIn(name: string): string | null {
  // A space stays in the place of what is taken out, so that its neighbours do not become each other's.
  const bare = name
    .replace(joined, (sequence) => (isOneEmoji(sequence) ? ' ' : sequence))
    .replace(spelled, ' ');
  const found = unseen.exec(bare)?.[0];
  if (found === undefined) return null;
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const shown = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Refuses a text in which no character shows, such as spaces, fillers, or an accent on nothing. */
export const notBlank = <T extends z.ZodString>(schema: T): T =>
  schema.check(z.refine((text: string) => shown.test(text), 'must not be blank'));

/** Why a name is refused; null where people read what stands there. */
export function whyIllegible(name: string): string | null {
  if (!shown.test(name)) return 'must not be blank';
  const found = unseenIn(name);
  return (
    found && `must not contain invisible characters or characters that change the reading order: ${found}`
  );
}

/** A schema's text that people will read as a name: the one rule of every API that stores one. */
export const legibleName = <T extends z.ZodString>(schema: T): T =>
  schema.check(
    z.superRefine((name: string, context) => {
      const message = whyIllegible(name);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
  );
