import { changesTheVault, vaultScopesOf } from '@countersign/protocol/dashboard/elsewhere';
import type { Route } from '@countersign/protocol/route';
import { type VaultCode, vaultCodes } from '@countersign/protocol/vault/codes';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import type { RateLimit } from '@countersign/service/rate-limit';
import { type Dispatcher, Pool } from 'undici';
import { bodyOf, isSignedOut, plain, routeFor, type Say, type WhoCalls, withPass } from './hand-on.ts';
import { type Live, createLive } from './live.ts';
import type { No, Passes, Seen } from './passes.ts';
import { streamOf } from './stream-of.ts';

/** The path below which a signed-in person's questions are handed on to the vault. */
export const vaultUnder = '/relay/vault';

export type VaultRelay = {
  readonly answer: (request: Request, address: string) => Promise<Response>;
  /** A session ended, or what its person may; null: who knows which. */
  readonly drop: (sessionId: string | null) => void;
  readonly close: () => Promise<void>;
};

/** Logging in and out is not a page's business here, and a WebSocket is followed in another way. */
const kept = ['login', 'refresh', 'logout', 'signInPerson', 'endPerson', 'watchSession'];
const relayed: readonly Route[] = Object.entries<Route>(vaultRoutes).flatMap(([name, route]) =>
  kept.includes(name) ? [] : route,
);
const { verifyToken, watchSession } = vaultRoutes;

/** Content types that are forwarded; anything else is dropped. */
const types = /^(application\/json|application\/jsonl|text\/plain)\b/;
const shownHeaders = ['content-type', 'retry-after', 'x-request-id'];

type Parts = { readonly passes: Passes; readonly limit: RateLimit; readonly whoCalls: WhoCalls };
type Relay = Parts & { readonly pool: Pool; readonly live: Live };

/** Hands on what people ask who are signed in here, each with the token that the vault gave for them. */
export function openVaultRelay(url: URL, parts: Parts): VaultRelay {
  const pool = new Pool(url.origin, { connections: 32, pipelining: 1, headersTimeout: 60_000 });
  const live = createLive(url);
  const relay = { ...parts, pool, live };
  return {
    answer: (request, address) =>
      answer(relay, request, address).catch(() => refused('internal_error', 'the vault is not responding')),
    drop(sessionId) {
      parts.passes.drop(sessionId);
      live.end(sessionId);
    },
    async close() {
      live.end(null);
      await pool.destroy();
    },
  };
}

async function answer(relay: Relay, request: Request, address: string): Promise<Response> {
  const wait = relay.limit.take(address);
  if (wait !== null) return refused('rate_limited', `too many requests: wait ${wait} s`);
  const called = await relay.whoCalls(request);
  if (called.ok) return answerTo(relay, request, called.value);
  return refused(isSignedOut(called.error) ? 'unauthorized' : 'insufficient_scope', called.error.msg);
}

async function answerTo(relay: Relay, request: Request, caller: Seen): Promise<Response> {
  const { roles } = caller.person;
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(vaultUnder.length);
  const hasRoom = vaultScopesOf(roles).length > 0;
  if (path === '/session') return hasRoom ? whoIsThere(await relay.passes.of(caller)) : there(null);
  if (!hasRoom) return refused('insufficient_scope', noRoom);
  const { method } = request;
  if (routeFor([watchSession], { method, path }, say) === watchSession)
    return follow(relay, path + search, caller);
  const route = routeFor(relayed, { method, path }, say);
  if (route instanceof Response) return route;
  // A generated token outlives a session, and so changes something: no scope stands before it.
  const asks = route.method === 'GET' || route.path === verifyToken.path;
  if (!asks && !changesTheVault(roles)) return refused('insufficient_scope', readsOnly);
  return handOn(relay, { request, caller, path: path + search });
}

async function follow({ live, passes }: Relay, path: string, caller: Seen): Promise<Response> {
  const pass = await passes.of(caller);
  if (!pass.ok) return said(pass.error);
  const { token } = pass.value;
  return live.follow(path, token, caller, () => passes.isSpent(caller.sessionId, token));
}

type Asked = { readonly request: Request; readonly caller: Seen; readonly path: string };

async function handOn({ pool, passes }: Relay, { request, caller, path }: Asked): Promise<Response> {
  const body = await bodyOf(request, say);
  if (body instanceof Response) return body;
  const method = request.method as Route['method'];
  const type = body === null ? {} : { 'content-type': 'application/json' };
  const answered = await withPass(passes, caller, async ({ token }) => {
    const headers = { authorization: `Bearer ${token}`, ...type };
    return shown(await pool.request({ path, method, headers, body, signal: request.signal }));
  });
  return answered.ok ? answered.value : said(answered.error);
}

/** The vault's answer, as it comes. */
async function shown({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  if (!types.test(String(headers['content-type'] ?? ''))) {
    await body.dump();
    return refused('internal_error', 'the vault’s answer could not be read');
  }
  const told = shownHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return new Response(streamOf(body), { status, headers: { ...Object.fromEntries(told), ...plain } });
}

const noRoom = 'your roles give you nothing to do in the vault';
const readsOnly = 'your roles let you read the vault and change nothing in it';

/** Null: not by this session. */
const there = (username: string | null): Response => Response.json({ username }, { headers: plain });

function whoIsThere(pass: Awaited<ReturnType<Passes['of']>>): Response {
  if (pass.ok) return there(pass.value.name);
  return pass.error.code === 'insufficient_scope' ? there(null) : said(pass.error);
}

const isCode = (code: string): code is VaultCode => Object.hasOwn(vaultCodes, code);

/** Why the vault lets somebody not in. That our own word is not taken is no fault of theirs. */
const said = ({ code, msg }: No): Response =>
  isCode(code) && code !== 'unauthorized'
    ? refused(code, msg)
    : refused('internal_error', `the vault let you not in: ${msg}`);

const refused = (code: VaultCode, msg: string): Response =>
  Response.json(vaultDialect.refusal({ code, msg }), { status: vaultCodes[code], headers: plain });

const say: Say = (fault, msg) => refused(vaultDialect.faults[fault], msg);
