import { isUtf8 } from 'node:buffer';

/**
 * JSON of an object with everything secret left out: each text is `x` as often as it is long (UTF-16), objects and
 * lists are empty, numbers stand as they are. What is read is read in place, so that no part of it becomes a string
 * that cannot be wiped. Null for what is no object in RFC 8259, for a name given twice, and for deep nesting.
 */
export function outlineOf(bytes: Uint8Array): Record<string, unknown> | null {
  if (!isUtf8(bytes)) return null;
  try {
    return new Outline(bytes).whole();
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

/**
 * Returns the byte range of a member's value in the JSON of an object, end exclusive; null if there is no
 * such member.
 */
export function memberSpan(bytes: Uint8Array, name: string): Span | null {
  try {
    const outline = new Outline(bytes);
    outline.whole();
    return outline.members.get(name) ?? null;
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

export type Span = { readonly start: number; readonly end: number };

class NotJson extends Error {}

const deepest = 64;
const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')];
const [openBrace, closeBrace, openBracket, closeBracket] = [code('{'), code('}'), code('['), code(']')];
const [letterU, minus, zero, nine] = [code('u'), code('-'), code('0'), code('9')];
const blanks = new Set(Buffer.from(' \t\n\r'));
const escapes = new Set(Buffer.from('"\\/bfnrt'));
const maxNumber = 32;

class Outline {
  /** Members of the outermost object. */
  readonly members = new Map<string, Span>();
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  whole(): Record<string, unknown> {
    this.#skipBlanks();
    if (this.#peek() !== openBrace) throw new NotJson();
    const outline = this.#object(0);
    this.#skipBlanks();
    if (this.#at !== this.#bytes.length) throw new NotJson();
    return outline;
  }

  #object(depth: number): Record<string, unknown> {
    const members = new Map<string, unknown>();
    this.#list(closeBrace, () => {
      const name = this.#name();
      if (members.has(name)) throw new NotJson();
      this.#skipBlanks();
      this.#expect(colon);
      this.#skipBlanks();
      const start = this.#at;
      members.set(name, this.#value(depth + 1));
      if (depth === 0) this.members.set(name, { start, end: this.#at });
    });
    return Object.fromEntries(members);
  }

  /** From the bracket that opens to the one that closes. */
  #list(close: number, item: () => void): void {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#peek() === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      item();
      this.#skipBlanks();
      if (this.#peek() === close) break;
      this.#expect(comma);
      this.#skipBlanks();
    }
    this.#at += 1;
  }

  #value(depth: number): unknown {
    if (depth > deepest) throw new NotJson();
    const first = this.#peek();
    if (first === quote) return 'x'.repeat(this.#text());
    if (first === openBrace) {
      this.#object(depth);
      return {};
    }
    if (first === openBracket) {
      this.#list(closeBracket, () => void this.#value(depth + 1));
      return [];
    }
    return first === minus || isDigit(first) ? this.#number() : this.#word();
  }

  /** Names are no secrets: they are those of a schema, or refused. */
  #name(): string {
    const from = this.#at;
    this.#text();
    return JSON.parse(Buffer.from(this.#bytes.subarray(from, this.#at)).toString()) as string;
  }

  /** Passes a text and gives its length in UTF-16. */
  #text(): number {
    this.#expect(quote);
    let length = 0;
    for (;;) {
      const byte = this.#next();
      if (byte === quote) return length;
      if (byte < 0x20) throw new NotJson();
      if (byte === backslash) this.#escape();
      // Bytes that continue a character add nothing; four of them are two UTF-16 units.
      length += byte >= 0xf0 ? 2 : (byte & 0xc0) === 0x80 ? 0 : 1;
    }
  }

  #escape(): void {
    const byte = this.#next();
    if (byte !== letterU) {
      if (!escapes.has(byte)) throw new NotJson();
      return;
    }
    for (let i = 0; i < 4; i += 1) if (!isHex(this.#next())) throw new NotJson();
  }

  #number(): number {
    const from = this.#at;
    while (this.#at < this.#bytes.length && isOfNumber(this.#bytes[this.#at] ?? 0)) this.#at += 1;
    if (this.#at - from > maxNumber) throw new NotJson();
    const text = String.fromCharCode(...this.#bytes.subarray(from, this.#at));
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new NotJson();
    return Number(text);
  }

  #word(): boolean | null {
    for (const [word, value] of words) {
      if (!word.every((byte, i) => this.#bytes[this.#at + i] === byte)) continue;
      this.#at += word.length;
      return value;
    }
    throw new NotJson();
  }

  #skipBlanks(): void {
    while (blanks.has(this.#bytes[this.#at] ?? 0)) this.#at += 1;
  }

  #peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }

  #next(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new NotJson();
    this.#at += 1;
    return byte;
  }

  #expect(byte: number): void {
    if (this.#next() !== byte) throw new NotJson();
  }
}

const words = ([true, false, null] as const).map((value) => [Buffer.from(String(value)), value] as const);
const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;
const isHex = (byte: number): boolean => /[0-9a-fA-F]/.test(String.fromCharCode(byte));
const isOfNumber = (byte: number): boolean => isDigit(byte) || /[-+.eE]/.test(String.fromCharCode(byte));
