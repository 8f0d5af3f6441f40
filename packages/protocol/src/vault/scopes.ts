import { z } from 'zod';

/** Scopes of tokens (spec: vault.scope). */
export const scopes = [
  'credential:read',
  'credential:use',
  'credential:send',
  'credential:write',
  'credential:decrypt',
  'audit:read',
  'admin',
] as const;
export const scope = z.enum(scopes);
export type Scope = z.infer<typeof scope>;

/**
 * What a scope covers besides itself. To use a credential is to know of it, and never to see its plaintext. To send one in
 * requests is for gateways, and comes with no other scope but `admin`: an honest service may repeat what it is sent.
 */
const covered: Readonly<Record<Scope, readonly Scope[]>> = {
  'credential:read': [],
  'credential:use': ['credential:read'],
  'credential:send': [],
  'credential:write': [],
  'credential:decrypt': ['credential:use', 'credential:read'],
  'audit:read': [],
  admin: scopes,
};

/**
 * Returns whether a generated token cannot pass the scope on: a token with it comes from a person or from an
 * administrator's token.
 */
export const isPersonsToGive = (scope: Scope): boolean => scope === 'credential:send';

/** Returns whether these scopes cover a wanted one. */
export const covers = (held: readonly Scope[], wanted: Scope): boolean =>
  held.some((each) => each === wanted || covered[each].includes(wanted));
