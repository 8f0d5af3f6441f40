import { createHmac } from 'node:crypto';
import { outlineOf } from '../../credential/json-outline.ts';
import { findForms } from '../../masking/find.ts';
import { type FormIndex, indexForms } from '../../masking/form-index.ts';
import { formsOf, minSecret } from '../../masking/forms.ts';
import type { Secret, Text } from '../browser.ts';
import type { FieldFacts } from '../in-page/describe.ts';
import type { Located } from '../locate.ts';
import type { BodyField } from './body.ts';
import { newObjectDecoy } from './object.ts';
import { hasMeantShape, newDecoy, newUsualDecoy, type RandomBytes } from './shape.ts';

/** What is typed: literal text, and decoys with what they stand for. */
export type Part = string | { readonly secret: Secret; readonly decoy: string };

/** One filled field, or place in a presentation, and where alone its secrets may go. */
export type Fill = {
  readonly parts: readonly Part[];
  /** The whole text, decoys in place of secrets. */
  readonly typed: string;
  readonly frameId: string;
  /** Loader id of its document: the fill ends with the document. */
  readonly loaderId: string;
  readonly origin: string;
  /** Null for a presentation, which has no field. */
  readonly field: FieldFacts | null;
  /** Where it stands, to be looked at again. */
  readonly located?: Located;
  /** Origin to which it was sent; each is sent once. */
  sentTo: string | null;
};

/** A request that the enclave itself makes and sends: it is known to the byte. */
export type Presentation = {
  readonly url: string;
  readonly method: string;
  readonly frameId: string;
  readonly loaderId: string;
  /** Contains decoys. */
  readonly body: Buffer;
  /** Where they stand in it, in order. */
  readonly places: readonly { readonly field: BodyField; readonly fill: Fill }[];
};

/**
 * The decoys of one session. The same value has one decoy, so that a password and its repetition stay the same; another only
 * for a field that takes less.
 */
export class Fills {
  readonly #random: RandomBytes;
  readonly #onDecoy: (decoy: Uint8Array) => void;
  readonly #key: Buffer;
  readonly #decoys = new Map<string, readonly string[]>();
  /** Those that are being sent. */
  readonly presentations = new Set<Presentation>();
  /** Those of secrets that are more than the name of an account. */
  readonly #telling: Buffer[] = [];
  #index: FormIndex = indexForms([]);
  #fills: Fill[] = [];

  constructor(random: RandomBytes, onDecoy: (decoy: Uint8Array) => void = () => {}) {
    [this.#random, this.#onDecoy] = [random, onDecoy];
    this.#key = random(32);
  }

  /** What to type in place of a text, into a field of so much room; null when it holds a secret that has no decoy. */
  async partsOf(text: Text, room = Infinity): Promise<Part[] | null> {
    const parts: Part[] = [];
    for (const part of text) {
      if (typeof part === 'string') parts.push(part);
      else {
        const decoy = await part.open((bytes) => this.#decoyFor(bytes, part.isName ?? false, room));
        if (decoy === null) return null;
        parts.push({ secret: part, decoy });
      }
    }
    return parts;
  }

  add(fill: Fill): void {
    const isSameField = (one: Fill) =>
      one.loaderId === fill.loaderId &&
      one.sentTo === null &&
      JSON.stringify(one.field) === JSON.stringify(fill.field);
    this.#fills = this.#fills.filter((one) => !isSameField(one));
    this.#fills = [...this.#fills.slice(-maxFills), fill];
  }

  all(): readonly Fill[] {
    return this.#fills;
  }

  get isEmpty(): boolean {
    return this.#decoys.size === 0;
  }

  /** Whether any decoy of a secret stands there, in any of the usual encodings; one of an account's name may go about. */
  isIn(bytes: Buffer): boolean {
    return findForms(bytes, this.#index).some(
      ({ start, end }) => end - start >= tellingLength || standsAlone(bytes, start, end),
    );
  }

  #decoyFor(secret: Buffer, isName: boolean, room: number): string | null {
    const mark = createHmac('sha256', this.#key)
      .update(secret)
      .update(isName ? 'name' : '')
      .digest('hex');
    const before = this.#decoys.get(mark) ?? [];
    const isUsual = !isName && !isOfOwnShape(secret);
    const known = isUsual ? before.find((one) => fits(one, room)) : before[0];
    if (known !== undefined) return known;
    const decoy = isUsual ? this.#usualDecoy(secret, room) : this.#shapedDecoy(secret);
    if (decoy === null) return null;
    this.#decoys.set(mark, [...before, decoy]);
    this.#onDecoy(Buffer.from(decoy));
    if (!isName) this.#telling.push(Buffer.from(decoy));
    this.#index = indexForms(this.#telling.flatMap(formsOf));
    return decoy;
  }

  #usualDecoy = (secret: Buffer, room: number): string | null =>
    room < minSecret ? null : newUsualDecoy(secret, this.#random, room);

  #shapedDecoy = (secret: Buffer): string | null =>
    newObjectDecoy(secret, this.#random) ?? newDecoy(secret, this.#random);
}

const isOfOwnShape = (secret: Buffer): boolean =>
  secret.length === 0 || hasMeantShape(secret) || outlineOf(secret) !== null;

/** One that is shorter than a field of passwords allows is for a field that takes no more alone. */
const fits = ({ length }: string, room: number): boolean =>
  length <= room && length >= Math.min(room, minOfPasswords);
const minOfPasswords = 8;

export function markSent(fill: Fill, url: string): void {
  fill.sentTo = new URL(url).origin;
  for (const part of fill.parts) if (typeof part !== 'string') part.secret.onSent?.();
}

export const typedOf = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.decoy)).join('');

/** Older ones have had their time. */
const maxFills = 100;

/** Fewer signs stand by chance in longer words and numbers. */
const tellingLength = 10;

function standsAlone(bytes: Buffer, start: number, end: number): boolean {
  const isWord = (byte: number | undefined) =>
    byte !== undefined && /[0-9a-z]/i.test(String.fromCharCode(byte));
  return !isWord(bytes[start - 1]) && !isWord(bytes[end]);
}
