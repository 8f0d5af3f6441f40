import { createHmac } from 'node:crypto';
import { ok } from '@countersign/protocol/result';
import { parse } from 'hono/utils/cookie';
import type { Logger } from '@countersign/service/logger';
import { showAccount } from '../accounts/account.ts';
import type { Sessions } from '../auth/session.ts';
import type { DashboardHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import { comeIn, type ComingInParts } from './come-in.ts';
import { told } from './failure.ts';
import { letBackIn, listShutOut } from './identity-store.ts';
import { type Checks, openProvider, type Vouched } from './provider.ts';
import { burnRequest, insertRequest } from './request-store.ts';
import type { ProviderSettings } from './settings.ts';

type Parts = Omit<ComingInParts, 'settings'> & {
  readonly providerLogin: ProviderSettings | null;
  readonly origins: readonly string[];
  readonly secureCookie: boolean;
  readonly sessions: Sessions;
  readonly log: Logger;
};

type ProviderHandlers = Pick<
  DashboardHandlers,
  'beginProviderLogin' | 'providerLogin' | 'listShutOut' | 'letBackIn'
>;

/** The page of the console that the provider sends browsers back to. */
export const returnPath = '/sign-in/return';
const lifeMs = 10 * 60_000;

/** Nonce and PKCE verifier follow from what only that browser has: nothing that is kept here tells them. */
function checksOf(state: string, browser: string): Checks {
  const derived = (use: string) =>
    createHmac('sha256', browser).update(`${use}:${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), verifier: derived('verifier') };
}

const off = refusal('BUSINESS_NOT_FOUND', 'no provider is set up here');
const elsewhere = refusal('UNAUTHORIZED_OPERATION', 'a login must have this site as its Origin');
const unknownState = refusal(
  'AUTHENTICATION_FAILED',
  'not signed in: this login was started in another browser, started more than 10 minutes ago, or already used: start again',
);

/** Handles sign-in through the provider, and the readmission of people who were removed. */
export function providerLoginHandlers(parts: Parts): ProviderHandlers {
  const { pool, providerLogin: settings, origins, secureCookie, sessions, now, random, log } = parts;
  const provider = settings && openProvider(settings, { now, log });
  // With this prefix no other host of the domain can plant one.
  const cookieName = secureCookie ? '__Host-provider_login' : 'provider_login';
  const cookie = (value: string, seconds: number) =>
    `${cookieName}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secureCookie ? '; Secure' : ''}`;

  const enter = (known: ProviderSettings, vouched: Vouched) =>
    comeIn({ ...parts, settings: known }, vouched, async (db, account, person) => {
      const opened = await sessions.open(account, person, db);
      const { token, expiresAt } = opened;
      const data = { token, expiresAt: expiresAt.toISOString(), account: showAccount(account) };
      return { ...ok(data), headers: { 'set-cookie': opened.cookie } };
    });

  return {
    async beginProviderLogin({ headers }) {
      if (settings === null || provider === null) return off;
      const origin = headers.get('origin') ?? '';
      if (!origins.includes(origin)) return elsewhere;
      const [state, browser] = [random(32).toString('base64url'), random(32).toString('base64url')];
      const redirectUri = origin + returnPath;
      const url = await provider.begin(redirectUri, checksOf(state, browser));
      if (!url.ok) return told(url.error);
      const expiresAt = new Date(now().getTime() + lifeMs);
      await insertRequest(pool, { state, browser, issuer: settings.issuer, redirectUri }, expiresAt, now());
      return { ...ok({ url: url.value.href }), headers: { 'set-cookie': cookie(browser, lifeMs / 1000) } };
    },

    async providerLogin({ body, headers }) {
      if (settings === null || provider === null) return off;
      const origin = headers.get('origin') ?? '';
      if (!origins.includes(origin)) return elsewhere;
      const browser = parse(headers.get('cookie') ?? '', cookieName)[cookieName] ?? '';
      // Burnt before anything else is looked at: a way back is gone once, whatever becomes of it.
      const begun = await burnRequest(pool, { state: body.state, browser }, now());
      const isOurs = begun?.issuer === settings.issuer && begun.redirectUri === origin + returnPath;
      if (begun === null || !isOurs) return unknownState;
      const returned = returnedTo(begun.redirectUri, body);
      const vouched = await provider.finish(returned, checksOf(body.state, browser));
      return vouched.ok ? enter(settings, vouched.value) : told(vouched.error);
    },

    async listShutOut({ caller }) {
      const found = await listShutOut(pool, caller.account.id);
      const show = ({ id, name, issuer, shutOutAt }: (typeof found)[number]) => ({
        id,
        name: name === '' ? 'Somebody who was erased' : name,
        issuer,
        shutOutAt: shutOutAt.toISOString(),
      });
      return ok({ data: found.map(show) });
    },

    async letBackIn({ params, caller }) {
      const id = params['id'] ?? '';
      const done = await letBackIn(pool, caller.account.id, id);
      return done ? ok({ id }) : refusal('BUSINESS_NOT_FOUND', 'nobody of this id is shut out');
    },
  };
}

function returnedTo(redirectUri: string, sent: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(sent))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}
