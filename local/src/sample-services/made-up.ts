import { createHash } from 'node:crypto';

/** Numbers that look random and never change: drawn one after the other from a hash of `seed`. */
export function drawFrom(seed: string): (below: number) => number {
  let block = Buffer.alloc(0);
  let blocks = 0;
  let at = 0;
  return (below) => {
    if (at + 4 > block.length) {
      block = createHash('sha256').update(`${seed}\n${blocks}`).digest();
      blocks += 1;
      at = 0;
    }
    const number = block.readUInt32BE(at);
    at += 4;
    return number % below;
  };
}

/** Picks one of several words. */
export function pick<const T>(draw: (below: number) => number, words: readonly [T, ...T[]]): T {
  return words[draw(words.length)] ?? words[0];
}
