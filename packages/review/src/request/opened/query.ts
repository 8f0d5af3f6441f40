/** A name and what it is given, of a query or behind a name in a path (`/orders/7;action=cancel`). */
export type Given = readonly [name: string, value: string];

const maxGiven = 200;
const maxDecodings = 3;

/** Percent-encoded once more, as proxies and careless programs decode it. Linear: each round makes a text shorter, or is the last. */
export function decodedWhole(text: string): string {
  let read = text;
  for (let round = 0; round < maxDecodings && /%[0-9a-f]{2}/i.test(read); round++) {
    const next = decodedOnce(read);
    if (next === read) break;
    read = next;
  }
  return read;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is given in a query: `&` separates, and `;` does where a name stands behind it. */
export function givenIn(search: string): Given[] {
  const given: Given[] = [];
  for (const [name, value] of new URLSearchParams(search.slice(0, 8192))) {
    const [first = '', ...more] = parted(value);
    given.push([decodedWhole(name), decodedWhole(first)]);
    for (const one of more) given.push(pairOf(one));
    if (given.length >= maxGiven) break;
  }
  return given.slice(0, maxGiven);
}

const parted = (value: string): string[] =>
  /;[\w.-]{1,40}=/.test(value) && !/[<>{}"]/.test(value) ? value.split(';') : [value];

/** What stands behind names of a path, RFC 3986, section 3.3. */
export const givenInPath = (path: string): Given[] =>
  path
    .slice(0, 4096)
    .split('/')
    .flatMap((segment) => segment.split(';').slice(1, 20))
    .slice(0, maxGiven)
    .map((one) => pairOf(decodedWhole(one)));

const pairOf = (text: string): Given => {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), decodedWhole(text.slice(at + 1))];
};
