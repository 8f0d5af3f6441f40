import { createHmac } from 'node:crypto';
import { findForms, type FormIndex, indexForms } from '../../masking/find.ts';
import { formsOf } from '../../masking/forms.ts';
import { newMasker } from '../../masking/masker.ts';
import type { Secret, Text } from '../browser.ts';
import type { FieldFacts } from '../in-page/describe.ts';
import { newDecoy, type RandomBytes } from './shape.ts';

/** What is typed: literal text, and decoys with what they stand for. */
export type Part = string | { readonly secret: Secret; readonly decoy: string };

/** One filled field, or script, and where alone its secrets may go. */
export type Fill = {
  readonly parts: readonly Part[];
  /** The whole text, decoys in place of secrets. */
  readonly typed: string;
  readonly frameId: string;
  /** Of the document in which it stands: with the document the fill is over. */
  readonly loaderId: string;
  readonly origin: string;
  /** Null for a script, which has no field. */
  readonly field: FieldFacts | null;
  /** Origin to which it was sent; each is sent once. */
  sentTo: string | null;
};

/** The decoys of one session. The same value has one decoy, so that a password and its repetition stay the same. */
export class Fills {
  readonly #random: RandomBytes;
  readonly #key: Buffer;
  readonly #decoys = new Map<string, string>();
  #index: FormIndex = indexForms([]);
  #masker = newMasker([]);
  #fills: Fill[] = [];

  constructor(random: RandomBytes) {
    this.#random = random;
    this.#key = random(32);
  }

  /** What to type in place of a text; null when it holds a secret that has no decoy. */
  async partsOf(text: Text): Promise<Part[] | null> {
    const parts: Part[] = [];
    for (const part of text) {
      if (typeof part === 'string') parts.push(part);
      else {
        const decoy = await part.open((bytes) => this.#decoyFor(bytes));
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
    this.#fills = [...this.#fills.slice(-mostFills), fill];
  }

  all(): readonly Fill[] {
    return this.#fills;
  }

  get isEmpty(): boolean {
    return this.#decoys.size === 0;
  }

  /** Whether any decoy stands there, in any of the usual encodings. */
  isIn(bytes: Buffer): boolean {
    return findForms(bytes, this.#index).some(
      ({ start, end }) => end - start >= tellingLength || standsAlone(bytes, start, end),
    );
  }

  /** Which texts of a page hold a decoy, alone or with their neighbours. */
  areIn(texts: readonly string[]): boolean[] {
    return this.#masker.nodes(texts).map((text, i) => text !== texts[i]);
  }

  #decoyFor(secret: Buffer): string | null {
    const mark = createHmac('sha256', this.#key).update(secret).digest('hex');
    const known = this.#decoys.get(mark);
    if (known !== undefined) return known;
    const decoy = newDecoy(secret, this.#random);
    if (decoy === null) return null;
    this.#decoys.set(mark, decoy);
    const decoys = [...this.#decoys.values()].map((one) => Buffer.from(one));
    this.#index = indexForms(decoys.flatMap(formsOf));
    this.#masker = newMasker(decoys);
    return decoy;
  }
}

export const typedOf = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.decoy)).join('');

/** Older ones have had their time. */
const mostFills = 100;

/** Fewer signs stand by chance in longer words and numbers. */
const tellingLength = 10;

function standsAlone(bytes: Buffer, start: number, end: number): boolean {
  const isWord = (byte: number | undefined) =>
    byte !== undefined && /[0-9a-z]/i.test(String.fromCharCode(byte));
  return !isWord(bytes[start - 1]) && !isWord(bytes[end]);
}
