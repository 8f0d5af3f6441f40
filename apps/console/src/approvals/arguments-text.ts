import { keccak256, stringToBytes } from 'viem';

/** Returns whether the text is what the hash stands for. */
export const hashes = (text: string, argumentsHash: string): boolean =>
  keccak256(stringToBytes(text)) === argumentsHash.toLowerCase();

/** The text as a value, where that says the same to the letter; else the text itself, so that nothing in it is lost. */
export function shownValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}
