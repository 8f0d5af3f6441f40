import { TextTooLong } from '@countersign/service/exchange';

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma] = [code('"'), code('\\'), code(',')];
const [openBrace, closeBrace, openBracket, closeBracket] = [code('{'), code('}'), code('['), code(']')];

/** An item that is longer is passed over: real ones have some kilobytes. */
const maxItemBytes = 64 * 1024;
/** Maximum size of a page outside its items. */
const maxFrameBytes = 64 * 1024;

/** The text that precedes a list, within the last bytes that are kept. */
const namesOfLists = { items: /"items"\s*:\s*$/, servers: /"servers"\s*:\s*$/ };
const nameBytes = 64;

/** The member name of a catalogue's list: x402's, or that of the MCP registry. */
export type ListName = keyof typeof namesOfLists;

/** Is given an item of a page, to keep until it returns; null is one that is too long, or the nothing before a comma. */
type OnItem = (json: Buffer | null) => void;

/**
 * Cuts a page of a catalogue, as it arrives, into its items, so that it takes the memory of one of them however many there
 * are. Throws `TextTooLong` where there is much beside items. Of a page that is no JSON it gives pieces that are none.
 */
export class PageItems {
  readonly #listName: RegExp;
  readonly #onItem: OnItem;
  readonly #frame = new Piece(maxFrameBytes);
  readonly #item = new Piece(maxItemBytes);
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isInItems = false;
  #isStopped = false;

  constructor(list: ListName, onItem: OnItem) {
    this.#listName = namesOfLists[list];
    this.#onItem = onItem;
  }

  add(piece: Buffer): void {
    for (const byte of piece) {
      if (this.#isStopped) return;
      if (this.#isInText) this.#readText(byte);
      else if (this.#readMark(byte)) continue;
      this.#keep(byte);
    }
  }

  /** Ignores everything from now on, at no cost. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The page without its items. */
  frame(): Buffer {
    return this.#frame.bytes();
  }

  #readText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  /** Outside of texts. Whether the byte only parts items. */
  #readMark(byte: number): boolean {
    if (byte === quote) this.#isInText = true;
    else if (byte === openBrace || byte === openBracket) return this.#open(byte);
    else if (byte === closeBrace || byte === closeBracket) this.#close();
    else if (byte === comma && this.#isInItems && this.#depth === 2) return this.#endItem();
    return false;
  }

  #open(byte: number): boolean {
    this.#depth += 1;
    if (this.#isInItems || this.#depth !== 2 || byte !== openBracket) return false;
    if (!this.#listName.test(this.#frame.end(nameBytes))) return false;
    this.#keep(byte);
    this.#isInItems = true;
    return true;
  }

  #close(): void {
    this.#depth -= 1;
    if (!this.#isInItems || this.#depth !== 1) return;
    if (!this.#item.isBlank) this.#endItem();
    this.#item.clear();
    this.#isInItems = false;
  }

  #endItem(): true {
    this.#onItem(this.#item.isOver || this.#item.isEmpty ? null : this.#item.bytes());
    this.#item.clear();
    return true;
  }

  #keep(byte: number): void {
    const piece = this.#isInItems ? this.#item : this.#frame;
    piece.add(byte);
    if (this.#frame.isOver) throw new TextTooLong();
  }
}

/** Bytes up to a length. */
class Piece {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(maxBytes: number) {
    this.#bytes = Buffer.alloc(maxBytes);
  }

  get isOver(): boolean {
    return this.#length > this.#bytes.length;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Whether it is the nothing in `[]`. */
  get isBlank(): boolean {
    return this.#length < nameBytes && this.end(nameBytes).trim() === '';
  }

  add(byte: number): void {
    if (this.#length < this.#bytes.length) this.#bytes[this.#length] = byte;
    if (this.#length <= this.#bytes.length) this.#length += 1;
  }

  clear(): void {
    this.#length = 0;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  end(length: number): string {
    return this.#bytes.toString('latin1', Math.max(0, this.#length - length), this.#length);
  }
}
