import { fail, ok, type Result } from '../result.ts';
import { parseUrl } from '../url.ts';

/**
 * Where a session may go: exact origins with an optional path prefix, `https://shop.example/account/*`, and a wildcard
 * only as the leftmost label, which stands for exactly one label (RFC 9525, 6.3; spec: vault.sandbox).
 */
export type UrlPattern = {
  readonly scheme: 'https:' | 'http:';
  /** The host in the URL standard's form. With `wildcard`, the part after `*.`. */
  readonly host: string;
  readonly wildcard: boolean;
  /** Empty for the scheme's own. */
  readonly port: string;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
};

/** Why a text is not a pattern. The advice on writing one is elsewhere, since no verdict depends on it. */
export type PatternFault =
  | 'no-origin'
  | 'user-name'
  | 'other-owners'
  | 'path-without-star'
  | 'star-inside-path'
  | 'path-spelling'
  | 'wildcard-inside-host'
  | 'no-host'
  | 'host-spelling';

/** Reads one pattern. */
export function parseUrlPattern(text: string): Result<UrlPattern, PatternFault> {
  const parts = /^(?<scheme>https?):\/\/(?<authority>[^/?#]+)(?<path>[^?#]*)$/i.exec(text);
  if (parts === null || /[\s\\\p{Cc}]/u.test(text)) return fail('no-origin');
  const { scheme, authority, path } = parts.groups as Record<'scheme' | 'authority' | 'path', string>;
  if (authority.includes('@')) return fail('user-name');

  const wildcard = authority.startsWith('*.');
  const named = wildcard ? authority.slice(2) : authority;
  const pathPrefix = readPathPrefix(path);
  if (!pathPrefix.ok) return pathPrefix;
  const origin = readOrigin(scheme, named);
  if (!origin.ok) return origin;
  if (wildcard && coversOtherOwners(origin.value.host)) return fail('other-owners');
  return ok({ ...origin.value, wildcard, pathPrefix: pathPrefix.value });
}

/**
 * Returns whether one of the patterns covers the URL. What cannot be read, names a user or has another scheme
 * is not covered.
 */
export function allowsUrl(patterns: readonly UrlPattern[], text: string): boolean {
  const url = parseUrl(text);
  return (
    url !== null && url.username === '' && url.password === '' && patterns.some((one) => covers(one, url))
  );
}

/**
 * Returns whether a connection to this host and port can serve any covered URL: all that a proxy sees of
 * HTTPS.
 */
export const allowsConnection = (patterns: readonly UrlPattern[], host: string, port: number): boolean =>
  patterns.some(
    (one) => coversHost(one, host.toLowerCase()) && Number(one.port || defaultPort[one.scheme]) === port,
  );

/** The same origins without a path: who shows one path shows the others. */
export const wholeOrigins = (patterns: readonly UrlPattern[]): UrlPattern[] =>
  patterns.map((pattern) => ({ ...pattern, pathPrefix: '/' }));

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The same sites by the other names that they have as a rule: with and without `www.`, by HTTPS and HTTP, and a machine's own.
 * For what a page may show, never for what may be used there.
 */
export const withAliases = (patterns: readonly UrlPattern[]): UrlPattern[] =>
  patterns.flatMap((pattern) =>
    aliasesOf(pattern).flatMap((host) =>
      (['https:', 'http:'] as const).map((scheme) => ({ ...pattern, host, scheme })),
    ),
  );

function aliasesOf({ host, wildcard }: UrlPattern): string[] {
  if (localHosts.includes(host)) return localHosts;
  const isName = host.includes('.') && !/^[\d.]+$|^\[/.test(host);
  if (wildcard || !isName) return [host];
  return [host, host.startsWith('www.') ? host.slice(4) : `www.${host}`];
}

/** Returns whether any URL is covered by one of the first and by one of the second patterns. */
export const overlap = (some: readonly UrlPattern[], others: readonly UrlPattern[]): boolean =>
  some.some((one) => others.some((other) => haveCommon(one, other)));

/** Patterns out of what `allowedUrls` of allowed-urls.ts has read. One that no longer reads is left out, and so covers nothing. */
export const parseAllowedUrls = (texts: readonly string[]): UrlPattern[] =>
  texts.flatMap((text) => {
    const pattern = parseUrlPattern(text);
    return pattern.ok ? [pattern.value] : [];
  });

const defaultPort = { 'https:': '443', 'http:': '80' } as const;

/** The scheme under which a WebSocket's handshake goes out. */
const handshake: Readonly<Record<string, string>> = { 'wss:': 'https:', 'ws:': 'http:' };

function readPathPrefix(path: string): Result<string, PatternFault> {
  if (path === '' || path === '/') return ok('/');
  if (!path.endsWith('/*')) return fail('path-without-star');
  const prefix = path.slice(0, -1);
  if (prefix.includes('*')) return fail('star-inside-path');
  const plain =
    !/%(?![0-9a-f]{2})|\/\/|;/i.test(prefix) && readings(prefix)?.every((one) => one.startsWith(prefix));
  return plain && parseUrl(`https://a${prefix}`)?.pathname === prefix ? ok(prefix) : fail('path-spelling');
}

/** Other spellings of a host (0x7f.1, shop%2eexample, shop.example.) are refused, so that people see what they allow. */
function readOrigin(
  scheme: string,
  authority: string,
): Result<Pick<UrlPattern, 'scheme' | 'host' | 'port'>, PatternFault> {
  if (authority.includes('*')) return fail('wildcard-inside-host');
  const url = parseUrl(`${scheme}://${authority}`);
  if (url === null) return fail('no-host');
  const written = authority.replace(/:\d*$/, '').toLowerCase();
  const ascii = /^[\p{ASCII}]*$/u.test(written);
  if ((ascii && written !== url.hostname) || url.hostname.endsWith('.')) return fail('host-spelling');
  return ok({ scheme: url.protocol === 'https:' ? 'https:' : 'http:', host: url.hostname, port: url.port });
}

/** A whole top-level domain, or the second level under which a country registers names. Not the whole public suffix list. */
const coversOtherOwners = (host: string): boolean =>
  !host.includes('.') || /^(ac|co|com|edu|go|gov|gob|ne|net|nom|or|org)\.[a-z]{2}$/.test(host);

function covers(pattern: UrlPattern, url: URL): boolean {
  return (
    (handshake[url.protocol] ?? url.protocol) === pattern.scheme &&
    (url.port || defaultPort[pattern.scheme]) === (pattern.port || defaultPort[pattern.scheme]) &&
    coversHost(pattern, url.hostname) &&
    coversPath(pattern.pathPrefix, url.pathname)
  );
}

function coversHost({ wildcard, host }: UrlPattern, name: string): boolean {
  if (!wildcard) return name === host;
  const label = name.endsWith(`.${host}`) ? name.slice(0, -host.length - 1) : '';
  return label !== '' && !label.includes('.');
}

/** Servers decode a path in their own ways, so each reading of it must stay below the prefix. */
function coversPath(prefix: string, path: string): boolean {
  if (prefix === '/') return true;
  return path.startsWith(prefix) && (readings(path)?.every((one) => one.startsWith(prefix)) ?? false);
}

function haveCommon(one: UrlPattern, other: UrlPattern): boolean {
  const sameHosts = one.wildcard === other.wildcard && one.host === other.host;
  return (
    one.scheme === other.scheme &&
    one.port === other.port &&
    (one.pathPrefix.startsWith(other.pathPrefix) || other.pathPrefix.startsWith(one.pathPrefix)) &&
    (sameHosts ||
      (one.wildcard && !other.wildcard && coversHost(one, other.host)) ||
      (other.wildcard && !one.wildcard && coversHost(other, one.host)))
  );
}

const maxLayers = 8;
/** Bytes that are no UTF-8, by which some servers read a slash or a dot, and the end of a C string. */
const overlong = /%(c[01]|e0%[89]|f0%8|00)/i;

/** Differences between servers in resolving `.` and `..`; each holds for some of them. */
const habits = {
  /** A backslash is a slash. */
  backslash: 1,
  /** A segment's name ends at `;`: `..;x` is `..`. */
  parameters: 2,
  /** `//` is one slash. To others it holds an empty name, which a `..` takes away. */
  merged: 4,
  /** `%2e` is a dot before anything else is decoded, as the URL standard has it. */
  encodedDots: 8,
} as const;
const everyServer = Array.from({ length: 16 }, (_, server) => server);

/** The path as read by servers that decode once, twice and so on; null when some server may read anything. */
function readings(path: string): string[] | null {
  const found: string[] = [];
  for (let text = path, layer = 0; layer < maxLayers; layer++) {
    if (overlong.test(text)) return null;
    for (const server of everyServer) found.push(resolveDots(text, server));
    const decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === text) return found;
    text = decoded;
  }
  return null;
}

/** Resolves `.` and `..` as a server of these habits would. */
function resolveDots(path: string, server: number): string {
  const has = (habit: keyof typeof habits) => (server & habits[habit]) !== 0;
  const nameOf = (segment: string): string => {
    const name = has('parameters') ? segment.replace(/;.*$/, '') : segment;
    return has('encodedDots') ? name.replace(/%2e/gi, '.') : name;
  };
  const kept: string[] = [];
  const segments = (has('backslash') ? path.replaceAll('\\', '/') : path).split('/').slice(1);
  const last = segments.at(-1) ?? '';
  if (last === '') segments.pop();
  for (const segment of segments) {
    const name = nameOf(segment);
    if (name === '..') kept.pop();
    else if (name !== '.' && !(name === '' && has('merged'))) kept.push(segment);
  }
  return `/${kept.join('/')}${kept.length > 0 && /^\.{0,2}$/.test(nameOf(last)) ? '/' : ''}`;
}
