import { parseUrl } from '@countersign/protocol/url';

/** A value in an address that stands in a text. */
export type Parameter = {
  readonly name: string;
  readonly value: string;
  /** In UTF-16 units of the text. */
  readonly start: number;
  /** Origin of the address and name: there the value was given, and there alone it is given back. Null where the origin is not known. */
  readonly place: string | null;
};

/** In a query, a fragment, or behind a `;` of the path; in mails a line may end behind the `=`. */
const named = /[;?&#](?<name>[\w.[\]%~$:-]{1,64})=(?:\r?\n)?(?<value>[^&;#?\s"'<>\\`]{8,4096})/g;
/** The same of an address that is a value in another, encoded, or stands in JSON or a script, escaped. */
const inside =
  /(?:%(?:25){0,8}(?:3B|3F|26|23)|\\u00(?:3b|3f|26|23)|\\x(?:3b|3f|26|23))(?<name>[\w.~$-]{1,64})(?:=|%(?:25){0,8}3D|\\u003d|\\x3d)(?<value>(?:[\w.~+-]|%(?!(?:25){0,8}(?:26|3B|3F|23|2[027]|3[CE]|60|5C|0A))(?:25){0,8}[\da-f]{2}){8,4096})/gi;
/** In the path, behind a word that says of a log-in. */
const inPath =
  /(?<before>\/|%(?:25){0,8}2F)(?<name>(?:[\w-]{0,40}[-_])?(?:magic|magic-?link|log-?in|log-?on|sign-?in|auth|sso|session|token|verify|confirm|reset|invite|activate|unlock|passwordless|otp|one-?time|callback)(?:[-_][\w-]{0,40})?)(?<after>\\?\/|%(?:25){0,8}2F)(?<value>[\w.~=-]{16,512})(?=[/?#;\s"'<>)\\%&]|$)/gi;
/** ASP.NET without cookies. */
const inBrackets = /\/\((?:[A-Z]\([^()/]*\))*?(?<name>[SF])\((?<value>[\w-]{16,512})\)/g;

/** Every value in the addresses of a text, in that order of patterns; `page` is where the text stands. */
export function parametersIn(text: string, page: string | null): Parameter[] {
  if (!/[=/%\\]/.test(text)) return [];
  return [named, inside, inPath, inBrackets].flatMap((pattern) => {
    let [last, origin]: [number | null, string | null] = [null, null];
    return [...text.matchAll(pattern)].map((found) => {
      const { name = '', value = '', before, after } = found.groups ?? {};
      const start = found.index + found[0].lastIndexOf(value);
      const sign = signOf(pattern);
      // Of an address that is encoded or escaped nothing says where it begins.
      if (pattern === inside || (pattern === inPath && `${before}${after}` !== '//'))
        return { name: sign + name, value, start, place: null };
      // Mostly it stands in the address of the one before.
      if (last === null || border.test(text.slice(last, found.index)))
        origin = originAt(text, found.index, page);
      last = found.index;
      const place = origin && placeOf(origin, found[0].charAt(0), sign + name);
      return { name: sign + name, value, start, place };
    });
  });
}

/** A parameter of the path is another than one of the query: a site without the former shows it as text of the path. */
export const placeOf = (origin: string, before: string, name: string): string =>
  `${origin} ${before === ';' ? ';' : ''}${name.toLowerCase()}`;

/** The text with others in the place of its parameters. Of two that overlap the first that is another stands. */
export function replaced<T extends Parameter>(
  text: string,
  parameters: readonly T[],
  by: (one: T) => string,
): string {
  const pieces: string[] = [];
  let at = 0;
  for (const one of parameters.toSorted((a, b) => a.start - b.start)) {
    const other = one.start < at ? one.value : by(one);
    if (other === one.value) continue;
    pieces.push(text.slice(at, one.start), other);
    at = one.start + one.value.length;
  }
  return pieces.join('') + text.slice(at);
}

/** Names of the path are told apart from the others. */
const signOf = (pattern: RegExp): string => (pattern === named || pattern === inside ? '' : '/');

/** What no address has. */
const border = /[\s"'<>\\`]/;
const maxAddress = 2048;

/** Of the address that stands at this place of a text. */
function originAt(text: string, at: number, page: string | null): string | null {
  let start = at;
  while (start > 0 && at - start < maxAddress && !border.test(text.charAt(start - 1))) start -= 1;
  const before = text.slice(start, at);
  const host = /^[^?&;#=]*?((?:https?:)?\/\/[^/?#]+)/i.exec(before)?.[1];
  if (host === undefined) return parseUrl(page ?? '')?.origin ?? null;
  return parseUrl(host, page ?? undefined)?.origin ?? null;
}

/** Names and values in an address, however short, and the ids of ASP.NET without cookies. */
export const namesIn = (url: string): readonly (readonly [name: string, value: string])[] => [
  ...[...url.matchAll(/[;?&#]([^=&;#?\s]{1,128})=([^&;#?\s]*)/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  ),
  ...[...url.matchAll(inBrackets)].map(([, , value = '']) => ['ASP.NET_SessionId', value] as const),
];

/** What JSON, also in JSON, scripts and templates call a value. */
const assigned =
  /\b(?<name>[A-Za-z_$][\w$-]{1,40})\\{0,3}["']?\s*[:=]\s*\\{0,3}["'](?<value>[\w.+/=~%-]{8,1024})\\{0,3}["']/g;

export const assignmentsIn = (text: string): Parameter[] =>
  /["']/.test(text)
    ? [...text.matchAll(assigned)].map((found) => {
        const { name = '', value = '' } = found.groups ?? {};
        return { name, value, start: found.index + found[0].lastIndexOf(value), place: null };
      })
    : [];
