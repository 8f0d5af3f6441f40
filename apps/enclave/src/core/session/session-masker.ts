import {
  allowsUrl,
  parseAllowedUrls,
  type UrlPattern,
  withAliases,
  wholeOrigins,
} from '@countersign/protocol/vault/url-scope';
import { isDeepStrictEqual } from 'node:util';
import { ownCopy } from '../credential/field.ts';
import { isChosen } from '../masking/chosen.ts';
import type { Room, Taken } from '../masking/guesses.ts';
import { maskJson } from '../masking/json.ts';
import { Literals, type Written } from '../masking/literals.ts';
import { MaskedWords } from '../masking/masked-words.ts';
import { pinLength } from '../masking/pins.ts';
import { type Masker, mask, newMasker } from '../masking/masker.ts';
import type { Cookie } from './withheld/cookie.ts';
import { Withheld } from './withheld/withheld.ts';

/**
 * `made`: a machine generated it, so that nobody guesses it unless a person chose the same word. `name`: an
 * account's name, which is masked, though pages may show it.
 */
export type SecretKind = 'secret' | 'made' | 'name';

type Known = {
  readonly bytes: Buffer;
  readonly kind: SecretKind;
  /** Somebody may guess it. */
  readonly isGuess: boolean;
  /** Null: wherever it stands. */
  readonly where: readonly UrlPattern[] | null;
};

const nothingTaken: Taken = { counted: [], over: [], isFull: false };

/** Takes every secret that the session knows out of what leaves it, until the session is over. */
export class SessionMasker {
  #secrets: Known[] = [];
  readonly #literals = new Literals();
  readonly #words = new MaskedWords();
  /** The log-ins of its sites, as far as pages and addresses show them. */
  readonly withheld = new Withheld();
  /** Maskers by the secrets they look for, built on first use after a secret was added. */
  readonly #maskers = new Map<string, Masker>();
  #isWiped = false;
  #added = 0;

  /** Returns a key of the masker's state: while it is equal, equal texts are masked equally. */
  get changes(): string {
    return [
      this.#added,
      this.#literals.changes,
      this.#words.size,
      this.withheld.changes,
      this.#isWiped,
    ].join();
  }

  get hasSecrets(): boolean {
    return this.#secrets.length > 0;
  }

  get #canBeGuessed(): boolean {
    return this.#secrets.some(({ isGuess }) => isGuess);
  }

  /**
   * From here on this is looked for too, on the sites where it may be used: in a page elsewhere nobody shows it, but whoever made
   * that page could see by what is masked which of its guesses is right. The caller wipes what it handed in.
   */
  add(secret: Uint8Array, kind: SecretKind, where: readonly string[] | null = null): void {
    if (this.#isWiped) return;
    const patterns = where === null ? null : withAliases(wholeOrigins(parseAllowedUrls(where)));
    const isKnown = (known: Known) =>
      known.kind === kind && known.bytes.equals(secret) && isDeepStrictEqual(known.where, patterns);
    if (this.#secrets.some(isKnown)) return;
    this.#secrets.push({
      bytes: ownCopy(secret),
      kind,
      isGuess: kind !== 'made' || isChosen(secret),
      where: patterns,
    });
    this.#added += 1;
    this.#forget();
  }

  /**
   * What the agent itself wrote into an operation: where a page shows it again whole, nothing in it is compared with a secret,
   * as that would tell which of the agent's guesses is right. Of short texts and of words, after so many of them, each is
   * masked itself.
   */
  write(written: Written, room: Partial<Room> = {}): Taken {
    if (this.#isWiped) return nothingTaken;
    const taken = this.#literals.add(written, {
      guesses: Infinity,
      words: Infinity,
      isShown: () => false,
      ...room,
    });
    this.#words.add(taken.over);
    return this.#canBeGuessed ? taken : { ...taken, isFull: false };
  }

  /** Takes in what other sessions of the tenant wrote, and which of their words are masked. */
  hear(written: readonly Written[], over: readonly string[]): void {
    if (this.#isWiped) return;
    this.#words.add(this.#literals.hear(written, over));
  }

  /** Restores this session's counts in a thread that replaces one. */
  hearOwn(taken: Pick<Taken, 'counted' | 'over'>): void {
    if (this.#isWiped) return;
    this.#literals.hearOwn(taken);
    this.#words.add(taken.over);
  }

  /** A text without what the agent wrote. */
  readonly cut = (text: string): string => this.#literals.cut(text);

  /** Returns whether a page there shows none of the secrets. */
  hidesAll(url: string): boolean {
    return this.#secrets.every(({ where }) => where === null || allowsUrl(where, url));
  }

  /** Learns what texts of a page at `url` say of log-ins. */
  note(texts: readonly string[], url: string | null): void {
    this.withheld.note(texts, url, this.#isWritten);
  }

  noteCookies(cookies: readonly Cookie[]): void {
    this.withheld.noteCookies(cookies, this.#isWritten);
  }

  /** Masks a text of a page at `url`; null: of any page. */
  readonly text = (text: string, url: string | null = null): string => {
    this.note([text], url);
    const [masked = mask] = this.withheld.hide([this.#at(url)?.text(text) ?? mask]);
    return this.withheld.respelt([masked])[0] ?? mask;
  };

  /** Texts that stand beside each other, of which one secret may be split over several. */
  readonly nodes = (texts: readonly string[], url: string | null = null): string[] => {
    this.note(texts, url);
    return this.withheld.hide(this.#at(url)?.nodes(texts) ?? texts.map(() => mask));
  };

  /** The same, of secrets without names of accounts. */
  readonly secretNodes = (texts: readonly string[], url: string | null = null): string[] =>
    this.#at(url, false)?.nodes(texts) ?? texts.map(() => mask);

  /** The same, but such a secret is masked where it begins alone. Nothing is learned: `note` has heard all of the page. */
  readonly once = (texts: readonly string[], url: string | null = null): string[] =>
    this.withheld.hide(this.#at(url)?.once(texts) ?? texts.map(() => mask));

  readonly json = (value: unknown): unknown =>
    this.#isWiped ? mask : maskJson(value, (texts) => this.withheld.respelt(this.nodes(texts)));

  /** One that looks for what nobody guesses alone, and knows nothing else of this one. It wipes this one. */
  unguessed(): SessionMasker {
    const next = new SessionMasker();
    for (const { bytes, kind, isGuess } of this.#secrets) if (!isGuess) next.add(bytes, kind);
    this.wipe();
    return next;
  }

  /** Nothing is let through any more. */
  wipe(): void {
    this.#isWiped = true;
    for (const { bytes } of this.#secrets) bytes.fill(0);
    this.#secrets = [];
    this.withheld.wipe();
    this.#literals.clear();
    this.#words.clear();
    this.#forget();
  }

  readonly #isWritten = (value: string): boolean => this.cut(value).trim() === '';

  #at(url: string | null, hasNames = true): Masker | null {
    if (this.#isWiped) return null;
    const isMeant = ({ kind, where }: Known) =>
      (hasNames || kind !== 'name') && (where === null || url === null || allowsUrl(where, url));
    const meant = this.#secrets.flatMap((known, i) => (isMeant(known) ? [i] : []));
    const key = meant.join();
    const made = this.#maskers.get(key);
    if (made !== undefined) return made;
    // A number that names an account is no secret: to hide it would hide all numbers of as many digits.
    const secrets = meant.flatMap((i) => {
      const { bytes, kind } = this.#secrets[i] ?? {};
      return bytes === undefined || (kind === 'name' && pinLength(bytes) !== null) ? [] : [bytes];
    });
    const masker = newMasker(secrets, this.#literals, this.#canBeGuessed ? this.#words : null);
    this.#maskers.set(key, masker);
    return masker;
  }

  #forget(): void {
    for (const masker of this.#maskers.values()) masker.wipe();
    this.#maskers.clear();
  }
}
