/**
 * Reads single things from a message of the browser as bytes, without making text of the rest of it. Chromium writes
 * JSON without white space, the method of an event and the id of an answer first.
 */

const quote = 0x22;
const backslash = 0x5c;

/** The method of an event; null for an answer. */
export function methodOf(message: Buffer): string | null {
  const begin = '{"method":"';
  if (message.toString('latin1', 0, begin.length) !== begin) return null;
  return message.toString('latin1', begin.length, message.indexOf(quote, begin.length));
}

/** The id of an answer; null for an event. */
export function idOf(message: Buffer): number | null {
  const [, id] = /^\{"id":(\d+)/.exec(message.toString('latin1', 0, 24)) ?? [];
  return id === undefined ? null : Number(id);
}

/** The page that an event is of: the last member, behind all that pages can write. */
export const sessionOf = (message: Buffer): string | null =>
  /"sessionId":"([0-9A-F]+)"\}$/.exec(message.toString('latin1', Math.max(0, message.length - 80)))?.[1] ??
  null;

/** The string of the first member of this name, still escaped: a view into the message. */
export function stringOf(message: Buffer, name: string, from = 0): Buffer | null {
  const key = Buffer.from(`"${name}":"`);
  const at = message.indexOf(key, from);
  if (at === -1) return null;
  const begin = at + key.length;
  return message.subarray(begin, endOfString(message, begin));
}

/** The message with every body of a request empty. No copy is made of these. */
export function withoutBodies(message: Buffer): Buffer {
  const bodies = ['postData', 'bytes']
    .flatMap((name) => placesOf(message, name))
    .toSorted((a, b) => a.begin - b.begin);
  const ends = bodies.map(({ end }) => end);
  return Buffer.concat(
    [...bodies, { begin: message.length }].map(({ begin }, i) => message.subarray(ends[i - 1] ?? 0, begin)),
  );
}

/** Returns the byte ranges of the values of all members with this name. */
function placesOf(message: Buffer, name: string): { begin: number; end: number }[] {
  const places: { begin: number; end: number }[] = [];
  for (let from = 0; ; ) {
    const value = stringOf(message, name, from);
    if (value === null) return places;
    const begin = value.byteOffset - message.byteOffset;
    from = begin + value.length;
    places.push({ begin, end: from });
  }
}

function endOfString(message: Buffer, begin: number): number {
  for (let end = message.indexOf(quote, begin); end !== -1; end = message.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (message[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return message.length;
}
