/** A name and what it is given, of a query or behind a name in a path (`/orders/7;action=cancel`). */
export type Given = readonly [name: string, value: string];

/** Web servers and proxies take 8 to 16 KiB, in characters; what is longer is not read. */
const maxAddress = 32_768;
/** More than sign-ins nest where one came from. */
const maxDecodings = 12;

/** Percent-encoded once more, as proxies and careless programs decode it. Linear: each of few rounds makes a text shorter, or is the last. */
export function decodedWhole(text: string): string {
  let read = text;
  for (let round = 0; round < maxDecodings && isEncoded.test(read); round++) {
    const next = decodedOnce(read);
    if (next === read) break;
    read = next;
  }
  return read;
}

/** By bytes of which some are no UTF-8 as well: letters of ASCII are told from those. */
const decodedOnce = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes.replaceAll(/%[0-7][0-9a-f]/gi, (one) => decodeURIComponent(one));
    }
  });

const isEncoded = /%[0-9a-f]{2}/i;
/** Letters of ASCII, still encoded. */
const isHidden = /%[0-7][0-9a-f]/i;

/** Whether more is encoded in a text than anybody decodes, or it is longer than servers take. */
export const isUnread = (address: URL, decoded: readonly string[]): boolean =>
  address.pathname.length + address.search.length > maxAddress || decoded.some((text) => isHidden.test(text));

/** What is given in a query: `&` separates, and `;` does where a name stands behind it. */
export const givenIn = (search: string): Given[] =>
  [...new URLSearchParams(search.slice(0, maxAddress))].flatMap(([name, value]) => {
    const [first = '', ...more] = parted(value);
    return [[decodedWhole(name), decodedWhole(first).trim()] as const, ...more.map(pairOf)];
  });

const parted = (value: string): string[] =>
  /;[\w.-]{1,40}=/.test(value) && !/[<>{}"]/.test(value) ? value.split(';') : [value];

/** The segments of a path, without what is given in them. */
export const segmentsIn = (path: string): string[] =>
  path
    .slice(0, maxAddress)
    .split('/')
    .filter(Boolean)
    .map((segment) => decodedWhole(segment.split(';', 1)[0] ?? ''));

/** What stands behind names of a path, RFC 3986, section 3.3. */
export const givenInPath = (path: string): Given[] =>
  path
    .slice(0, maxAddress)
    .split('/')
    .flatMap((segment) => segment.split(';').slice(1))
    .map((one) => pairOf(decodedWhole(one)));

const pairOf = (text: string): Given => {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), decodedWhole(text.slice(at + 1)).trim()];
};
