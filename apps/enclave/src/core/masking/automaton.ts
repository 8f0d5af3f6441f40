/** Tells of each byte at which any pattern ends the longest that does, as the last byte and the length. */
export type Automaton = (text: Uint8Array, hear: (last: number, length: number) => void) => void;

/**
 * Finds patterns in one pass over a text, whatever the patterns (Aho and Corasick, 1975). These are given as they are
 * compared; the bytes of a text are, once `compared` has them.
 */
export function automatonOf(patterns: readonly Uint8Array[], compared: Uint8Array): Automaton {
  const trie = trieOf(patterns);
  const fails = failsOf(trie);
  return (text, hear) => {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const byte = compared[text[i] ?? 0] ?? 0;
      let to = trie.to(state, byte);
      while (to < 0 && state !== 0) {
        state = fails[state] ?? 0;
        to = trie.to(state, byte);
      }
      state = Math.max(0, to);
      const length = trie.longest[state] ?? 0;
      if (length > 0) hear(i, length);
    }
  };
}

type Trie = {
  /** The state after a byte; -1 for none. The root is 0. */
  readonly to: (state: number, byte: number) => number;
  /** The longest pattern that ends in a state, in bytes. */
  readonly longest: Uint32Array;
  /** From which state, by which byte. */
  readonly parents: Uint32Array;
  readonly signs: Uint8Array;
  readonly depths: Uint32Array;
  readonly size: number;
};

function trieOf(patterns: readonly Uint8Array[]): Trie {
  const maxStates = patterns.reduce((sum, { length }) => sum + length, 1);
  const slots = 2 ** Math.ceil(Math.log2(maxStates * 2));
  const [keys, values] = [new Int32Array(slots).fill(-1), new Int32Array(slots)];
  const trie = {
    longest: new Uint32Array(maxStates),
    parents: new Uint32Array(maxStates),
    signs: new Uint8Array(maxStates),
    depths: new Uint32Array(maxStates),
  };
  const slotFor = (key: number): number => {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & (slots - 1);
    while (keys[slot] !== key && keys[slot] !== -1) slot = (slot + 1) & (slots - 1);
    return slot;
  };
  const to = (state: number, byte: number): number => {
    const slot = slotFor(state * 256 + byte);
    return keys[slot] === -1 ? -1 : (values[slot] ?? 0);
  };
  let size = 1;
  for (const pattern of patterns) {
    let state = 0;
    for (const byte of pattern) {
      const slot = slotFor(state * 256 + byte);
      if (keys[slot] === -1) {
        [keys[slot], values[slot]] = [state * 256 + byte, size];
        [trie.parents[size], trie.signs[size]] = [state, byte];
        trie.depths[size] = (trie.depths[state] ?? 0) + 1;
        size++;
      }
      state = values[slot] ?? 0;
    }
    trie.longest[state] = pattern.length;
  }
  return { ...trie, to, size };
}

/**
 * Returns each state's failure link: the longest proper suffix that is a prefix of a pattern (Aho-Corasick).
 * Patterns that end there end here as well.
 */
function failsOf({ to, longest, parents, signs, depths, size }: Trie): Uint32Array {
  const fails = new Uint32Array(size);
  for (const state of byDepth(depths, size)) {
    const [parent, byte] = [parents[state] ?? 0, signs[state] ?? 0];
    if (parent === 0) continue;
    let from = fails[parent] ?? 0;
    while (from !== 0 && to(from, byte) < 0) from = fails[from] ?? 0;
    fails[state] = Math.max(0, to(from, byte));
    if (longest[state] === 0) longest[state] = longest[fails[state] ?? 0] ?? 0;
  }
  return fails;
}

function byDepth(depths: Uint32Array, size: number): Uint32Array {
  const places = new Uint32Array(size + 1);
  for (let state = 1; state < size; state++) {
    const depth = depths[state] ?? 0;
    places[depth] = (places[depth] ?? 0) + 1;
  }
  for (let depth = 1; depth <= size; depth++) places[depth] = (places[depth] ?? 0) + (places[depth - 1] ?? 0);
  const order = new Uint32Array(size - 1);
  for (let state = size - 1; state > 0; state--) {
    const depth = depths[state] ?? 0;
    const place = (places[depth] ?? 0) - 1;
    places[depth] = place;
    order[place] = state;
  }
  return order;
}
