import { type Address, parseAddress } from '@countersign/protocol/address';
import { type Role, roles } from '@countersign/protocol/dashboard/roles';
import { whyIllegible } from '@countersign/protocol/legible-name';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { isUrl } from '@countersign/protocol/url';
import { integer, text, type Variables } from '@countersign/service/config';
import { z } from 'zod';

/** The OpenID Connect provider through which people of one account sign in. */
export type ProviderSettings = {
  /** To the letter: it is compared with what the provider says of itself. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null;
  /** The label of the button. */
  readonly name: string;
  readonly scope: string;
  readonly groupClaim: string;
  readonly rolesOfGroups: ReadonlyMap<string, readonly Role[]>;
  /** The wallet whose account they belong to. */
  readonly account: Address;
};

/** So many days people of a provider are kept who have not signed in. */
export const readAwayDays = (from: Variables): number =>
  from.withDefault('OIDC_AWAY_DAYS', 30, integer(1, 365));

export const providerLoginVariables: readonly (readonly [name: string, meaning: string])[] = [
  ['OIDC_ISSUER', 'issuer of the OpenID Connect provider through which people sign in (default none)'],
  ['OIDC_CLIENT_ID', 'id under which the provider knows the dashboard'],
  ['OIDC_CLIENT_SECRET', 'secret of that client (default none: a public client)'],
  ['OIDC_ACCOUNT', 'wallet of the account that people of the provider belong to'],
  ['OIDC_GROUP_ROLES', 'roles of each of the provider’s groups, as JSON: {"finance": ["approver"]}'],
  ['OIDC_GROUP_CLAIM', 'claim that holds somebody’s groups (default groups)'],
  ['OIDC_SCOPE', 'scopes that are asked for, openid among them (default openid profile)'],
  ['OIDC_NAME', 'the provider’s name on the sign-in page (default the issuer’s host)'],
  [
    'OIDC_AWAY_DAYS',
    'days without a sign-in until people of a provider are removed, with their keys and tokens (default 30)',
  ],
];

/** Null: nobody signs in through a provider. */
export function readProviderLogin(from: Variables): ProviderSettings | null {
  const issuer = from.optional('OIDC_ISSUER', issuerUrl);
  const hint = 'OIDC_ISSUER is set';
  const needed = <T>(name: string, read: (value: string) => Result<T, string>): T =>
    (issuer === undefined ? from.optional(name, read) : from.required(name, read, hint)) as T;
  const settings = {
    clientId: needed('OIDC_CLIENT_ID', text),
    clientSecret: from.withDefault('OIDC_CLIENT_SECRET', null, text),
    account: needed('OIDC_ACCOUNT', wallet),
    rolesOfGroups: needed('OIDC_GROUP_ROLES', groupRoles),
    groupClaim: from.withDefault('OIDC_GROUP_CLAIM', 'groups', text),
    scope: from.withDefault('OIDC_SCOPE', 'openid profile', scopes),
    name: from.optional('OIDC_NAME', shownName),
  };
  if (issuer === undefined) return null;
  return { ...settings, issuer, name: settings.name ?? new URL(issuer).host };
}

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

function issuerUrl(value: string): Result<string, string> {
  if (!isUrl(value)) return fail(wanted);
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname));
  const isBare = [username, password, search, hash].every((part) => part === '');
  return isSafe && isBare ? ok(value) : fail(wanted);
}

const wanted =
  'must be an issuer such as https://login.example.com: https (http on this machine alone), without user, query or fragment';

function wallet(value: string): Result<Address, string> {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must be a 0x-prefixed address with a right EIP-55 checksum') : ok(parsed);
}

const scopes = (value: string): Result<string, string> =>
  value.split(/ +/).includes('openid') ? ok(value) : fail('must have openid among its scopes');

function shownName(value: string): Result<string, string> {
  const why = Array.from(value).length > 40 ? 'must have at most 40 characters' : whyIllegible(value);
  return why === null ? ok(value) : fail(why);
}

const mapping = z.record(z.string().min(1), z.array(z.enum(roles)).min(1));

function groupRoles(value: string): Result<ReadonlyMap<string, readonly Role[]>, string> {
  const why = `must be JSON that gives each group a list of roles (${roles.join(', ')}), with one group at least`;
  const parsed = mapping.safeParse(parse(value));
  if (!parsed.success) return fail(why);
  const found = new Map(Object.entries(parsed.data));
  return found.size === 0 ? fail(why) : ok(found);
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}
