const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma] = [code('"'), code('\\'), code(',')];
const [openBrace, closeBrace, openBracket, closeBracket] = [code('{'), code('}'), code('['), code(']')];

export type JsonLimits = {
  /** Objects and lists within each other. */
  readonly depth: number;
  /** Members of objects and items of lists, in the whole. */
  readonly members: number;
};

/**
 * Which limit a JSON text exceeds, or null: read once from front to back before anybody parses it, since whatever walks
 * over it later does so by recursion. Of a text that is no JSON it says nothing.
 */
export function exceeded(json: Uint8Array, { depth, members }: JsonLimits): keyof JsonLimits | null {
  let [open, found] = [0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfText(json, at);
    else if (byte === openBrace || byte === openBracket) {
      [open, found] = [open + 1, found + 1];
      if (open > depth) return 'depth';
    } else if (byte === closeBrace || byte === closeBracket) open -= 1;
    else if (byte === comma) found += 1;
    if (found > members) return 'members';
  }
  return null;
}

/**
 * Returns the offset of the closing quote of the string that begins here; the end of the input if there is
 * none.
 */
function endOfText(json: Uint8Array, begin: number): number {
  for (let at = begin + 1; at < json.length; at += 1) {
    if (json[at] === backslash) at += 1;
    else if (json[at] === quote) return at;
  }
  return json.length;
}
