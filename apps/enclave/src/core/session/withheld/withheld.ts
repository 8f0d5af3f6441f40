import { createHmac } from 'node:crypto';
import { type Masker, newMasker } from '../../masking/masker.ts';
import { isIdAlone, isMade, isOfMachine, kindOfName, namesThing } from './names.ts';
import { assignmentsIn, type Parameter, parametersIn, replaced } from './parameters.ts';
import { isIdName, ownIn, type Resolved, resolveIn, standIn } from './resolve.ts';

/** A value that an agent is given a stand-in of. */
export type WithheldValue = {
  readonly value: string;
  /** It is a log-in by its name, or is a cookie: it is taken out wherever it stands. Others only where they stand in an address. */
  readonly isEverywhere: boolean;
  readonly places: readonly string[];
};

/** What the thread of a session is told when it begins; `key` makes the stand-ins, which are the same for the session's life. */
export type Withholding = {
  readonly key: Uint8Array;
  readonly isLent: boolean;
  readonly known: readonly WithheldValue[];
};

type Known = { readonly standIn: string; readonly isEverywhere: boolean; readonly places: Set<string> };

/** Values that are remembered, of them those that are looked for everywhere, and of what was seen before a credential was lent. */
const [maxKnown, maxEverywhere, maxBefore, maxCookies] = [4096, 128, 4096, 1024];

/**
 * Sites carry log-ins in addresses. Whoever has such an address is logged in without the credential, in another session too, so
 * an agent is given a stand-in, which this session alone takes back, at the origin and under the name where it stood.
 */
export class Withheld {
  readonly #known = new Map<string, Known>();
  readonly #before = new Set<string>();
  readonly #new = new Set<string>();
  /** Values of cookies, the newest. */
  readonly #cookies = new Set<string>();
  #key: Uint8Array | null = null;
  #isLent = false;
  #everywhere: { readonly masker: Masker; readonly pattern: RegExp } | null = null;
  #changes = 0;

  begin({ key, isLent, known }: Withholding): void {
    this.#key = key;
    this.#isLent ||= isLent;
    for (const { value, isEverywhere, places } of known)
      for (const place of [null, ...places]) this.#learn(value, isEverywhere, place);
    this.#new.clear();
  }

  get changes(): number {
    return this.#changes;
  }

  /** Learns what a text of a page says of log-ins; not what the agent itself wrote. */
  note(texts: readonly string[], page: string | null, isWritten: (value: string) => boolean): void {
    if (this.#key === null) return;
    const isOwn = ownIn(page);
    /** An id that its site does not know this browser by is given back nowhere. */
    const bound = (one: Parameter): Parameter =>
      !isIdName(one.name) || isOwn(one, this.#cookies.has(one.value)) ? one : { ...one, place: null };
    for (const text of texts) {
      for (const [name, value] of assignmentsIn(text))
        if (this.#isSaid(name, value) && !isWritten(value)) this.#learn(value, true, null);
      for (const parameter of parametersIn(text, page))
        if (!isWritten(parameter.value)) this.#noteParameter(bound(parameter));
    }
  }

  /** What the site knows its visitor by. */
  noteCookies(cookies: readonly string[], isWritten: (value: string) => boolean): void {
    if (this.#key === null) return;
    for (const cookie of cookies)
      for (const value of [cookie, decoded(cookie), ...decoded(cookie).split(/[:.|]/)])
        if (isMade(value) && !isWritten(value)) {
          this.#learn(value, true, null);
          this.#noteCookie(value);
        }
  }

  /**
   * Takes what is known out of texts from which secrets were taken before: a page, or an agent by its address, may make a part of
   * a secret look like a log-in, and what is left of it would tell the rest.
   */
  hide(masked: string[]): string[] {
    if (this.#known.size === 0) return masked;
    const { pattern } = (this.#everywhere ??= this.#newEverywhere());
    return masked.map((text) => this.#inAddresses(text).replace(pattern, this.#standInOf));
  }

  /** The same of other spellings: of what a script made of a page. */
  respelt(texts: string[]): string[] {
    if (this.#known.size === 0) return texts;
    return (this.#everywhere ??= this.#newEverywhere()).masker.nodes(texts);
  }

  resolve(url: string): Resolved {
    if (this.#key === null) return { url };
    const byStandIn = new Map([...this.#known].map(([value, known]) => [known.standIn, { value, ...known }]));
    return resolveIn(url, (one) => byStandIn.get(one));
  }

  /** What was learned since it was asked last. */
  takeNew(): WithheldValue[] {
    const values = [...this.#new].flatMap((value) => {
      const known = this.#known.get(value);
      return known === undefined
        ? []
        : [{ value, isEverywhere: known.isEverywhere, places: [...known.places] }];
    });
    this.#new.clear();
    return values;
  }

  wipe(): void {
    this.#key = null;
    this.#known.clear();
    this.#before.clear();
    this.#cookies.clear();
    this.#everywhere?.masker.wipe();
    this.#everywhere = null;
    this.#changes += 1;
  }

  /** By the name that stands before it. */
  #isSaid(name: string, value: string): boolean {
    if (!isOfMachine(value)) return false;
    const kind = kindOfName(name);
    return kind === 'id' || (kind === 'token' && /token$|jwt$/i.test(name) && isMade(value));
  }

  #noteCookie(value: string): void {
    const [oldest = ''] = this.#cookies;
    if (this.#cookies.size >= maxCookies && !this.#cookies.has(value)) this.#cookies.delete(oldest);
    this.#cookies.add(value);
  }

  #noteParameter({ name, value, place }: Parameter): void {
    const inside = this.#everywhere?.pattern;
    if (inside !== undefined) for (const [one] of value.matchAll(inside)) this.#learn(one, true, place);
    const kind = name.startsWith('/') ? 'token' : kindOfName(name);
    if (kind === 'id' && isOfMachine(value)) this.#learn(value, true, place);
    else if (this.#known.has(value) || isIdAlone(name)) this.#learn(value, false, place);
    else if (kind !== 'paging' && isMade(value)) this.#noteMade(kind, name, value, place);
  }

  #noteMade(kind: string, name: string, value: string, place: string | null): void {
    if (kind === 'token') this.#learn(value, true, place);
    else if (kind === 'signature') this.#learn(value, false, place);
    else if (!this.#isLent) {
      if (this.#before.size < maxBefore) this.#before.add(value);
    } else if (!this.#before.has(value) && !namesThing(name, value)) this.#learn(value, false, place);
  }

  #learn(value: string, isEverywhere: boolean, place: string | null): void {
    // An agent hands them back.
    if (value.search(standIn) >= 0) return;
    const isNews = this.#remember(value, isEverywhere);
    const places = this.#known.get(value)?.places;
    const isNewPlace = place !== null && places?.has(place) === false;
    if (isNewPlace) places.add(place);
    if (isNews || isNewPlace) this.#new.add(value);
  }

  /** Whether that is more than was known of it. */
  #remember(value: string, isEverywhere: boolean): boolean {
    const known = this.#known.get(value);
    const isRaised = isEverywhere && known?.isEverywhere !== true && !this.#isFull;
    if (known !== undefined && !isRaised) return false;
    const { standIn: given = this.#newStandIn(value), places = new Set<string>() } = known ?? {};
    this.#known.set(value, { standIn: given, isEverywhere: isRaised, places });
    if (isRaised) this.#forgetEverywhere();
    this.#changes += 1;
    this.#dropOldest();
    return true;
  }

  get #isFull(): boolean {
    return [...this.#known.values()].filter((known) => known.isEverywhere).length >= maxEverywhere;
  }

  /** One that stands in an address is learned again when it is seen again. */
  #dropOldest(): void {
    if (this.#known.size <= maxKnown) return;
    const [oldest] = [...this.#known].find(([, known]) => !known.isEverywhere) ?? [];
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  #forgetEverywhere(): void {
    this.#everywhere?.masker.wipe();
    this.#everywhere = null;
  }

  #newStandIn = (value: string): string =>
    `withheld-${createHmac('sha256', this.#key ?? '')
      .update(value)
      .digest('hex')
      .slice(0, 12)}`;

  readonly #standInOf = (value: string): string => this.#known.get(value)?.standIn ?? value;

  /** Values that are only hidden in addresses stand apart from all else there. */
  #inAddresses(text: string): string {
    return replaced(text, parametersIn(text, null), ({ value }) => this.#standInOf(value));
  }

  #newEverywhere() {
    const values = [...this.#known].flatMap(([value, { isEverywhere }]) => (isEverywhere ? [value] : []));
    const longest = values.toSorted((a, b) => b.length - a.length);
    return {
      masker: newMasker(values.map((value) => Buffer.from(value))),
      // Of none it matches nothing.
      pattern: new RegExp(values.length === 0 ? '(?!)' : longest.map(literal).join('|'), 'g'),
    };
  }
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
