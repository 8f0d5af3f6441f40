import {
  allowsUrl,
  parseAllowedUrls,
  type UrlPattern,
  withAliases,
  wholeOrigins,
} from '@countersign/protocol/vault/url-scope';
import { createHmac } from 'node:crypto';
import { type Masker, newMasker } from '../../masking/masker.ts';
import type { Cookie } from './cookie.ts';
import { KnownValues, type Rank } from './known.ts';
import {
  isGuard,
  isIdAlone,
  isMade,
  isOfMachine,
  isThing,
  isToken,
  kindOfName,
  namesLogIn,
  namesThing,
} from './names.ts';
import { assignmentsIn, type Parameter, parametersIn, replaced } from './parameters.ts';
import { isIdName, ownIn, type Resolved, resolveIn, standIn } from './resolve.ts';

/** A value that an agent is given a stand-in of. */
export type WithheldValue = {
  readonly value: string;
  /** Of an `address` it is taken out of addresses alone; the others are log-ins by their names, and are taken out wherever they stand. */
  readonly rank: Rank;
  readonly places: readonly string[];
};

/** What the thread of a session is told when it begins; `key` makes the stand-ins, which are the same for the session's life. */
export type Withholding = {
  readonly key: Uint8Array;
  readonly isLent: boolean;
  /** Where the session may go: nowhere else is a value given back. Absent: anywhere. */
  readonly allowedUrls?: readonly string[];
  readonly known: readonly WithheldValue[];
};

/** Values that are remembered of what was seen before a credential was lent, and of cookies. */
const [maxBefore, maxCookies] = [4096, 1024];

/**
 * Sites carry log-ins in addresses. Whoever has such an address is logged in without the credential, in another session too, so
 * an agent is given a stand-in, which this session alone takes back, at the origin and under the name where it stood.
 */
export class Withheld {
  readonly #known = new KnownValues();
  readonly #before = new Set<string>();
  /** Values of cookies, the newest. */
  readonly #cookies = new Set<string>();
  #scope: readonly UrlPattern[] | null = null;
  #key: Uint8Array | null = null;
  #isLent = false;
  #everywhere: { readonly masker: Masker; readonly pattern: RegExp; readonly sought: number } | null = null;
  /** What was known when it was taken last. */
  #taken = 0;

  begin({ key, isLent, allowedUrls, known }: Withholding): void {
    this.#key = key;
    this.#isLent ||= isLent;
    if (allowedUrls !== undefined) this.#scope = withAliases(wholeOrigins(parseAllowedUrls(allowedUrls)));
    const before = this.#known.news;
    for (const { value, rank, places } of known)
      for (const place of [null, ...places]) this.#learn(value, rank, place);
    // What it was told is no news, and hides none.
    if (this.#taken === before) this.#taken = this.#known.news;
  }

  get changes(): number {
    return this.#known.changes;
  }

  /** Learns what a text of a page says of log-ins; not what the agent itself wrote. */
  note(texts: readonly string[], page: string | null, isWritten: (value: string) => boolean): void {
    if (this.#key === null) return;
    const isOwn = ownIn(page);
    /** An id that its site does not know this browser by is given back nowhere. */
    const bound = (one: Parameter): Parameter =>
      !isIdName(one.name) || isOwn(one, this.#cookies.has(one.value)) ? one : { ...one, place: null };
    for (const text of texts) {
      for (const { name, value } of assignmentsIn(text)) {
        const rank = rankAssigned(name, value);
        if (rank !== null && !isWritten(value)) this.#learn(value, rank, null);
      }
      for (const parameter of parametersIn(text, page))
        if (!isWritten(parameter.value)) this.#noteParameter(bound(parameter));
    }
  }

  /** What the site knows its visitor by: cookies of log-ins by their names, and what was made by machines that no script may read. */
  noteCookies(cookies: readonly Cookie[], isWritten: (value: string) => boolean): void {
    if (this.#key === null) return;
    const [others, logIns] = [
      cookies.filter(({ name, isHttpOnly }) => isHttpOnly && !namesLogIn(name) && !isGuard(name)),
      cookies.filter(({ name }) => namesLogIn(name)),
    ];
    // What was noted last is remembered longest.
    for (const { value } of others)
      for (const part of partsOf(value))
        if (isMade(part) && !isThing(part)) this.#noteCookie(part, isWritten);
    for (const { value } of logIns)
      for (const part of partsOf(value))
        if (part === value ? isToken(part) : isMade(part) && !/^\d+$/.test(part))
          this.#noteCookie(part, isWritten);
  }

  #noteCookie(value: string, isWritten: (value: string) => boolean): void {
    if (isWritten(value)) return;
    this.#learn(value, 'cookie', null);
    const [oldest = ''] = this.#cookies;
    if (this.#cookies.size >= maxCookies && !this.#cookies.has(value)) this.#cookies.delete(oldest);
    this.#cookies.add(value);
  }

  /**
   * Takes what is known out of texts from which secrets were taken before: a page, or an agent by its address, may make a part of
   * a secret look like a log-in, and what is left of it would tell the rest.
   */
  hide(masked: string[]): string[] {
    if (this.#known.size === 0) return masked;
    const { pattern } = this.#sought();
    return masked.map((text) => this.#inAddresses(text).replace(pattern, this.#standInOf));
  }

  /** The same of other spellings: of what a script made of a page. */
  respelt(texts: string[]): string[] {
    if (this.#known.size === 0) return texts;
    return this.#sought().masker.nodes(texts);
  }

  resolve(url: string): Resolved {
    if (this.#key === null) return { url };
    const byStandIn = new Map([...this.#known].map(([value, known]) => [known.standIn, { value, ...known }]));
    return resolveIn(url, (one) => byStandIn.get(one));
  }

  /** All that is known, for a thread that takes the place of this one; null where that is no more than when it was asked last. */
  takeNew(): WithheldValue[] | null {
    if (this.#taken === this.#known.news) return null;
    this.#taken = this.#known.news;
    return [...this.#known].map(([value, { rank, places }]) => ({ value, rank, places: [...places] }));
  }

  wipe(): void {
    this.#key = null;
    this.#known.clear();
    this.#before.clear();
    this.#cookies.clear();
    this.#everywhere?.masker.wipe();
    this.#everywhere = null;
  }

  #noteParameter({ name, value, place }: Parameter): void {
    const inside = this.#everywhere?.pattern;
    if (inside !== undefined) for (const [one] of value.matchAll(inside)) this.#learn(one, 'address', place);
    const rank = rankOf(name, value);
    const kind = kindOfName(name);
    if (rank !== null) this.#learn(value, rank, place);
    else if (this.#known.has(value) || isIdAlone(name)) this.#learn(value, 'address', place);
    else if (kind !== 'paging' && isMade(value)) this.#noteMade(kind, name, value, place);
  }

  #noteMade(kind: string, name: string, value: string, place: string | null): void {
    if (kind === 'signature' || kind === 'guard') this.#learn(value, 'address', place);
    else if (!this.#isLent) {
      if (this.#before.size < maxBefore) this.#before.add(value);
    } else if (!this.#before.has(value) && !namesThing(name, value)) this.#learn(value, 'address', place);
  }

  #learn(value: string, rank: Rank, place: string | null): void {
    // An agent hands them back.
    if (value.search(standIn) >= 0) return;
    this.#known.learn(value, rank, this.#newStandIn);
    if (place !== null && this.#known.get(value)?.places.has(place) === false && this.#isInScope(place))
      this.#known.place(value, place);
  }

  #isInScope(place: string): boolean {
    return this.#scope === null || allowsUrl(this.#scope, `${place.slice(0, place.indexOf(' '))}/`);
  }

  #newStandIn = (value: string): string =>
    `withheld-${createHmac('sha256', this.#key ?? '')
      .update(value)
      .digest('hex')
      .slice(0, 12)}`;

  readonly #standInOf = (value: string): string => this.#known.get(value)?.standIn ?? value;

  /** Values that are only hidden in addresses stand apart from all else there. */
  #inAddresses(text: string): string {
    const assigned = assignmentsIn(text).filter(({ name, value }) => rankAssigned(name, value) !== null);
    return replaced(text, [...parametersIn(text, null), ...assigned], ({ name, value }) =>
      this.#isForgotten(name, value) ? this.#newStandIn(value) : this.#standInOf(value),
    );
  }

  /** Of more log-ins than are remembered each is hidden still, by its name. */
  #isForgotten(name: string, value: string): boolean {
    if (!this.#known.hasForgotten || this.#known.has(value)) return false;
    return value.search(standIn) < 0 && rankOf(name, value) !== null;
  }

  #sought() {
    const { sought } = this.#known;
    if (this.#everywhere?.sought === sought) return this.#everywhere;
    this.#everywhere?.masker.wipe();
    const values = this.#known.everywhere();
    const longest = values.toSorted((a, b) => b.length - a.length);
    this.#everywhere = {
      masker: newMasker(values.map((value) => Buffer.from(value))),
      // Of none it matches nothing.
      pattern: new RegExp(values.length === 0 ? '(?!)' : longest.map(literal).join('|'), 'g'),
      sought,
    };
    return this.#everywhere;
  }
}

/** What a value is by the name that stands before it in an address; null where that says nothing. */
function rankOf(name: string, value: string): 'id' | 'token' | null {
  const kind = name.startsWith('/') ? 'token' : kindOfName(name);
  if (kind === 'id') return isOfMachine(value) ? 'id' : null;
  return kind === 'token' && isToken(value) ? 'token' : null;
}

/** The same in a script or in JSON, where names that are as short are those of anything. */
function rankAssigned(name: string, value: string): 'id' | 'token' | null {
  const rank = rankOf(name, value);
  return rank === 'token' && !/token$|jwt$/i.test(name) ? null : rank;
}

/** A cookie, and its parts: frameworks sign ids. */
const partsOf = (cookie: string): Set<string> =>
  new Set([cookie, decoded(cookie), ...decoded(cookie).split(/[:.|]/)]);

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
