import { parseUrl } from '@countersign/protocol/url';
import { z } from 'zod';
import { partOf } from './offer.ts';

/** The x402 extension by which a service knows again who has paid it. */
const signInKey = 'sign-in-with-x';

/** One line of ASCII: a second line could be read as another field of the message. */
const line = (max: number) =>
  z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .max(max);
const time = z.iso.datetime();

const challenge = z.looseObject({
  info: z.object({
    domain: line(256),
    uri: line(2048),
    version: z.literal('1'),
    nonce: z.string().regex(/^[A-Za-z0-9]{8,128}$/),
    issuedAt: time,
    expirationTime: time.optional(),
    notBefore: time.optional(),
    requestId: z
      .string()
      .regex(/^[A-Za-z0-9._~-]{1,128}$/)
      .optional(),
    resources: z.array(line(2048)).max(8).optional(),
  }),
  supportedChains: z.array(z.looseObject({ chainId: z.string().max(64), type: z.string().max(16) })).max(16),
});

type Info = z.infer<typeof challenge>['info'];

/** A service's sign-in challenge for what was paid for, as far as we sign it. It always expires. */
export type Challenge = Info & { readonly expirationTime: string; readonly chainId: number };

const maxAgeMs = 5 * 60_000;
const maxLifeMs = 24 * 3_600_000;

/**
 * The challenge in a requirement. Null for one that we do not sign: it must be of the very host that was asked, in every
 * address that it names, of now, and for a chain that we pay on. A message for another host would open that one to whoever
 * holds it, and a resource that is no address could be a delegation (ERC-5573). A statement is left out, for it is free text;
 * a challenge that names no end is given one.
 */
export function readChallenge(
  requirement: unknown,
  about: { readonly origin: string; readonly chainIds: readonly number[]; readonly now: number },
): Challenge | null {
  const parsed = challenge.safeParse(partOf(partOf(requirement, 'extensions'), signInKey));
  if (!parsed.success) return null;
  const { info, supportedChains } = parsed.data;
  const chainId = about.chainIds.find((id) =>
    supportedChains.some((chain) => chain.type === 'eip191' && chain.chainId === `eip155:${id}`),
  );
  const { origin, now } = about;
  const addresses = [info.uri, ...(info.resources ?? [])];
  const areHere = addresses.every((text) => isAddressAt(text, origin));
  const holds = info.domain === new URL(origin).host && areHere && isOfNow(info, now);
  const { expirationTime = new Date(now + maxAgeMs).toISOString() } = info;
  return chainId !== undefined && holds ? { ...info, expirationTime, chainId } : null;
}

/** The text itself is signed, and whoever reads it may parse it otherwise: only the form that all agree on is an address. */
function isAddressAt(text: string, origin: string): boolean {
  const url = parseUrl(text);
  return (
    url?.href === text &&
    url.origin === origin &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === ''
  );
}

function isOfNow({ issuedAt, expirationTime, notBefore }: Info, now: number): boolean {
  const ends = expirationTime === undefined ? now : Date.parse(expirationTime);
  const begins = notBefore === undefined ? now : Date.parse(notBefore);
  return (
    Math.abs(now - Date.parse(issuedAt)) <= maxAgeMs &&
    ends >= now &&
    ends <= now + maxLifeMs &&
    begins <= now
  );
}

/** The text that is signed (ERC-4361). `address` has its checksum. */
export function signInText(asked: Challenge, address: string): string {
  const { domain, uri, chainId, nonce, issuedAt, expirationTime, notBefore, requestId, resources } = asked;
  const optional = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [`${name}: ${value}`];
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    `Expiration Time: ${expirationTime}`,
    ...optional('Not Before', notBefore),
    ...optional('Request ID', requestId),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((resource) => `- ${resource}`)]),
  ].join('\n');
}
