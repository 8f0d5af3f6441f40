import { parseUrl } from '@countersign/protocol/url';
import { isIdAlone, isOfMachine, kindOfName } from './names.ts';
import { namesIn, type Parameter, parametersIn, placeOf, replaced } from './parameters.ts';

/** An address as the browser is to open it, or why not, in words for an agent. */
export type Resolved = { readonly url: string } | { readonly problem: string };

/** What a stand-in stands for, and where it is given back. */
type Meant = { readonly value: string; readonly places: ReadonlySet<string> };

export const standIn = /withheld-[0-9a-f]{12}/g;
const isOne = (value: string): boolean => /^withheld-[0-9a-f]{12}$/.test(value);

/** A value in an address that its site reads as one, under one name; `start` is in the `href`. */
type Part = Parameter & { readonly isInFragment: boolean };

/**
 * Puts values in the place of their stand-ins. INVARIANT: a value stands in the result as the whole of one part of the address as
 * the browser reads it, at an origin and under a name where it stood before; the agent wrote all the rest.
 */
export function resolveIn(text: string, meantBy: (standIn: string) => Meant | undefined): Resolved {
  const url = parseUrl(text);
  const href = url?.href ?? text;
  const parts = url === null ? [] : partsOf(url).filter(({ value }) => isOne(value));
  const resolved = replaced(href, parts, ({ value, place }) => {
    const meant = meantBy(value);
    return meant !== undefined && place !== null && meant.places.has(place) ? meant.value : value;
  });
  if (resolved.search(standIn) >= 0) return { problem: notHere };
  const fixed = chosenIn(href).find(([, value]) => !isOne(value.replace(/\/.*/, '')));
  if (fixed !== undefined) return { problem: chosen(fixed[0]) };
  return { url: parts.length === 0 ? text : resolved };
}

/** Whether an address says by which log-in its site is to know the browser: whoever wrote it would be logged in with it. */
export function hasLogIn(text: string): boolean {
  const href = parseUrl(text)?.href ?? text;
  return href.search(standIn) >= 0 || chosenIn(href).length > 0;
}

/**
 * Tells of a parameter in a page whether the site knows this browser by it: the page's own address has it there, or it is a
 * cookie's value and of the page's origin. What else a page shows may be what the agent wrote into it, in pieces or from elsewhere.
 */
export function ownIn(page: string | null): (one: Parameter, isCookie: boolean) => boolean {
  const url = parseUrl(page ?? '');
  const parts = url === null ? [] : partsOf(url).filter(({ isInFragment }) => !isInFragment);
  const own = new Set(parts.map(keyOf));
  return (one, isCookie) =>
    own.has(keyOf(one)) || (isCookie && url !== null && one.place?.startsWith(`${url.origin} `) === true);
}

const keyOf = ({ place, value }: Parameter): string => `${place} ${value}`;

/** Whether it is the id of a log-in by its name, or ASP.NET's without cookies. */
export const isIdName = (name: string): boolean => kindOfName(name) === 'id' || /^\/[sf]$/i.test(name);

/** Of the path what stands behind a `;` or a word of log-ins, and the pairs of the query and of the fragment, or of a route in it. */
function partsOf(url: URL): Part[] {
  if (!/^https?:$/.test(url.protocol)) return [];
  const { origin, href, pathname } = url;
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(href) ?? [];
  const [route = ''] = /^#!?\/[^?]*/.exec(fragment) ?? [];
  const [atPath, atQuery] = [before.length - pathname.length, before.length];
  const [atFragment, inRoute] = [atQuery + query.length, fragment.slice(route.length)];
  const part = (isInFragment: boolean, at: number) => (one: Found) => ({
    ...one,
    start: at + one.start,
    place: placeOf(origin, one.sign, one.name),
    isInFragment,
  });
  return [
    ...[...found(pathname, inPath), ...wordsIn(pathname)].map(part(false, atPath)),
    ...found(query, inPairs).map(part(false, atQuery)),
    ...wordsIn(route).map(part(true, atFragment)),
    ...found(inRoute, inPairs).map(part(true, atFragment + route.length)),
  ];
}

type Found = Pick<Parameter, 'name' | 'value' | 'start'> & { readonly sign: string };
const inPath = /(;)([^;/=]*)=([^;/]*)/g;
const inPairs = /(^[?#]?|&)([^&=]*)=([^&]*)/g;

const found = (text: string, pattern: RegExp): Found[] =>
  [...text.matchAll(pattern)].map(({ index, 1: sign = '', 2: name = '', 3: value = '' }) => ({
    sign,
    name,
    value,
    start: index + sign.length + name.length + 1,
  }));

const wordsIn = (text: string): Found[] =>
  parametersIn(text, null)
    .filter(({ name, value, start }) => {
      const next = text.charAt(start + value.length);
      return name.startsWith('/') && (/^[/;]?$/.test(next) || (next === ')' && isIdName(name)));
    })
    .map((one) => ({ ...one, sign: '' }));

/** Ids of log-ins in an address, by name and value. */
const chosenIn = (href: string) => namesIn(href).filter(([name, value]) => isChosenId(name, value));

const isChosenId = (name: string, value: string): boolean =>
  value !== '' && (isIdAlone(name) || (kindOfName(name) === 'id' && isOfMachine(value)));

const notHere =
  'What begins with withheld- stands for a part of a log-in. It is taken in this session alone, at the site and under the name where it was read: open the address as it was read, or click the link.';
const chosen = (name: string): string =>
  `The address has the id of a log-in (${name.slice(0, 64)}) that was not read in this session. Leave it out, and log in with the credential.`;
