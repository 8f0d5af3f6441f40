import { type Automaton, automatonOf } from './automaton.ts';
import { comparedAs } from './form-index.ts';
import { minSecret } from './forms.ts';
import { Guesses, type Room, type Taken } from './guesses.ts';
import { pinLength } from './pins.ts';
import { decodingsOf, readingsOf } from './readings.ts';
import { skeletonOf, ungrouped, withoutPlus, withoutSigns } from './skeleton.ts';
import { canBeGuess, type Part, partsOfAddress, wordsIn } from './words.ts';

/** Most that is remembered of what an agent wrote, in literals and in bytes; the oldest are forgotten first. */
const maxLiterals = 4096;
const maxBytes = 256 * 1024;

/** Shorter ones can be a guess at a secret that people choose: left as they are, one would show it if it were right. */
const shortest = 12;

/** The text that an agent wrote in one operation. */
export type Written = {
  readonly texts: readonly string[];
  /** It is an address, so a site may show parts of it. */
  readonly isAddress?: boolean;
  /** Runs over a copy, or is agreed to by a person: no site shows its words. */
  readonly isScript?: boolean;
};

/**
 * What the agent itself wrote in a session, so that its own text, which a page shows again, is never compared with a
 * secret: where it is masked and where not would tell which of its guesses is right. What else could be one is counted.
 */
export class Literals {
  #kept: Uint8Array[] = [];
  #bytes = 0;
  #known = new Set<string>();
  #automaton: Automaton | null = null;
  #changes = 0;
  readonly #guesses = new Guesses();

  /** Returns a counter that grows whenever the set of unmasked text changes. */
  get changes(): number {
    return this.#changes;
  }

  /** Notes it, and tells what became of its words. */
  add(written: Written, room: Room): Taken {
    const parts = partsOf(written).flatMap(decodedPart);
    const taken = this.#guesses.take(parts.flatMap(guessesIn), room);
    this.#keep(parts);
    return taken;
  }

  /**
   * What other sessions wrote: of that nothing is counted here, and nothing short is kept. Gives the words to be masked here
   * too: not what is a guess of this session already.
   */
  hear(written: readonly Written[], over: readonly string[]): readonly string[] {
    const others = over.filter((word) => !this.#guesses.isCounted(word));
    this.#guesses.hear(others);
    for (const one of written) this.#keep(partsOf(one).flatMap(decodedPart));
    return others;
  }

  /** Restores this session's counts in a thread that replaces one; nothing is counted twice. */
  hearOwn(taken: Pick<Taken, 'counted' | 'over'>): void {
    this.#guesses.hearOwn(taken);
  }

  /** Up to where literals reach that begin at each byte of the source or before it; null when there are none. */
  reach(source: Uint8Array): Uint32Array | null {
    if (this.#kept.length === 0) return null;
    this.#automaton ??= automatonOf(this.#kept, smallLetters);
    const reach = new Uint32Array(source.length);
    for (const view of readingsOf(source))
      for (const { bytes, starts, ends } of [withoutPlus(view), ungrouped(view), withoutSigns(view)])
        this.#automaton(bytes, (last, length) => {
          const start = starts[last + 1 - length] ?? 0;
          reach[start] = Math.max(reach[start] ?? 0, ends[last] ?? 0);
        });
    for (let i = 1; i < reach.length; i++) reach[i] = Math.max(reach[i] ?? 0, reach[i - 1] ?? 0);
    return reach;
  }

  /** The text without what stands in literals. */
  cut(text: string): string {
    const source = utf8.encode(text);
    const reach = this.reach(source);
    return reach === null
      ? text
      : decoder.decode(source.map((byte, i) => ((reach[i] ?? 0) > i ? newLine : byte)));
  }

  clear(): void {
    [this.#kept, this.#bytes] = [[], 0];
    this.#known.clear();
    this.#guesses.clear();
    this.#change();
  }

  /**
   * Keeps each part as written, decoded, and without punctuation, which sites add and remove. A short path is
   * kept as written only.
   */
  #keep(parts: readonly Decoded[]): void {
    for (const part of parts.filter(({ isKept }) => isKept)) {
      const isFree = !isShort(part) || this.#guesses.isCounted(part.text);
      if (isFree) for (const bytes of [part.plain, part.letters, part.alone]) this.#push(bytes);
      else if (part.isPath === true && part.plain[0] === slash) this.#push(part.plain);
    }
    this.#forgetOldest();
  }

  #change(): void {
    this.#automaton = null;
    this.#changes += 1;
  }

  #push(bytes: Uint8Array): void {
    const literal = inSmallLetters(bytes);
    const isNone = literal.length < minSecret || literal.length > maxBytes || pinLength(literal) !== null;
    if (isNone || this.#known.has(keyOf(literal))) return;
    this.#known.add(keyOf(literal));
    this.#kept.push(literal);
    this.#bytes += literal.length;
    this.#change();
  }

  #forgetOldest(): void {
    while (this.#kept.length > maxLiterals || this.#bytes > maxBytes) {
      const oldest = this.#kept.shift();
      this.#bytes -= oldest?.length ?? 0;
      if (oldest !== undefined) this.#known.delete(keyOf(oldest));
      this.#change();
    }
  }
}

/** A part as written or decoded, and as it is compared. */
type Decoded = Part & {
  readonly plain: Uint8Array;
  readonly letters: Uint8Array;
  /** Without any sign. */
  readonly alone: Uint8Array;
};

const partsOf = ({ texts, isAddress = false, isScript = false }: Written): Part[] =>
  texts.flatMap((text) => (isAddress ? partsOfAddress(text) : [{ text, isKept: true, hasWords: !isScript }]));

const decodedPart = (part: Part): Decoded[] =>
  [...decodingsOf(utf8.encode(part.text))].map((view) => {
    const skeleton = skeletonOf(view);
    const text = decoder.decode(view.bytes).trim();
    const { bytes: plain } = withoutPlus(skeleton);
    const [{ bytes: letters }, { bytes: alone }] = [ungrouped(skeleton), withoutSigns(skeleton)];
    return { ...part, text, plain, letters, alone };
  });

/** Whatever signs stand in it: without them it is left as it is, too. */
const isShort = ({ alone }: Decoded): boolean => alone.length < shortest;

/** Returns the pieces of it that a site may show without the rest. */
function guessesIn(part: Decoded): string[] {
  const isWhole = part.isPath !== true && (isShort(part) || !part.isKept);
  return [
    ...(isWhole && canBeGuess(part.text) ? [part.text] : []),
    ...(part.hasWords ? wordsIn(part.isPath === true ? part.text.slice(1) : part.text) : []),
  ];
}

const utf8 = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const [newLine, slash] = [0x0a, 0x2f];
const smallLetters = comparedAs(false);
const inSmallLetters = (bytes: Uint8Array) => bytes.map((byte) => smallLetters[byte] ?? 0);
const latin1 = new TextDecoder('latin1');
const keyOf = (bytes: Uint8Array): string => latin1.decode(bytes);
