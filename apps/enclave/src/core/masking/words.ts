import { isUrl } from '@countersign/protocol/url';
import { minSecret } from './forms.ts';
import { pinLength } from './pins.ts';
import { quotedIn } from './quoted.ts';

/** Maximum length of a word that counts as a guess, in characters. */
const maxWord = 128;

const utf8 = new TextEncoder();

/** Returns whether the word could be a secret that a person chose. PINs are handled apart. */
export function canBeGuess(word: string): boolean {
  const bytes = utf8.encode(word);
  return bytes.length >= minSecret && bytes.length <= maxWord && pinLength(bytes) === null;
}

/** Separators at which a site may split text: punctuation, white space, and list separators of all kinds. */
const borders = [/[^\p{L}\p{M}\p{N}]+/u, /\s+/u, /[,;|\t\r\n]+/, /,/, /;/, /\|/, /&/, /[\t\r\n]+/];

/** Labels that may precede an item: `1.`, `(2)`, `#3:`, `d)`; `name=`, `name 1:`, `name =>`. */
const labels = [
  /(?:^|[\s,;|&]{1,4})[#([]?(?:\p{N}{1,5}|\p{L})\s?[.):\]\p{Pd}]{1,3}\s?/u,
  /(?:^|[\s,;|&?]{1,4})[\p{L}_][\p{L}\p{N}_.-]{0,31}(?: \p{N}{1,5})?\s?(?:=>|->|=|:)\s?/u,
];

const signs = '[^\\p{L}\\p{M}\\p{N}]';
const outerSigns = new RegExp(`^${signs}+|${signs}+$`, 'gu');

/** Parts of a text that a site may show without the rest, each once. */
export function wordsIn(text: string): string[] {
  const whole = text.trim();
  const items = new Set([text, ...borders.flatMap((border) => text.split(border)), ...quotedIn(text)]);
  const parts = [...items].flatMap((item) => [item, ...labels.flatMap((label) => item.split(label))]);
  const words = parts
    .map((part) => part.trim())
    .filter((part) => part.length <= maxWord)
    .flatMap((part) => [part, part.replaceAll(outerSigns, '')]);
  return [...new Set(words)].filter((word) => word !== whole && canBeGuess(word));
}

/** One part of an operation's text, examined by itself. */
export type Part = {
  readonly text: string;
  /** True if a page may repeat the whole part without its being compared with a secret. */
  readonly isKept: boolean;
  /** Its words are guesses too. */
  readonly hasWords: boolean;
  /** Frees nothing but what begins with a slash: no guess, however short. */
  readonly isPath?: boolean;
};

/** Most values of an address that are taken by themselves: of an address with many parts each would be a guess. */
const maxValues = 3;
/** More words than these in a path, or names in a query, are no address but a list. */
const maxPath = 8;

/** A page shows what an address asks for without the address; what its path names is as a rule the site's own. */
export function partsOfAddress(text: string): Part[] {
  if (!/^https?:/i.test(text) || !isUrl(text)) return [{ text, isKept: true, hasWords: true }];
  const { pathname, searchParams, search, hash } = new URL(text);
  const [names, values] = [[...searchParams.keys()], [...searchParams.values()]];
  const isList = names.length > maxPath;
  return [
    { text, isKept: true, hasWords: false },
    { text: pathname, isKept: true, hasWords: wordsIn(pathname.slice(1)).length > maxPath, isPath: true },
    { text: search.slice(1), isKept: true, hasWords: false },
    { text: hash.slice(1), isKept: true, hasWords: true },
    ...values.map((value) => ({ text: value, isKept: values.length <= maxValues, hasWords: true })),
    ...(isList ? names : []).map((name) => ({ text: name, isKept: false, hasWords: true })),
  ];
}
