import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { changesTheVault, vaultScopesOf } from '@countersign/protocol/dashboard/elsewhere';
import type { Route } from '@countersign/protocol/route';
import { type VaultCode, vaultCodes } from '@countersign/protocol/vault/codes';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import type { RateLimit } from '@countersign/service/rate-limit';
import { Pool } from 'undici';
import type { SessionCaller } from '../callers.ts';
import { bodyOf, isSignedOut, plain, routeFor, type Say, type WhoCalls } from './hand-on.ts';
import { type Live, createLive } from './live.ts';
import type { No, Pass, Passes } from './passes.ts';

/** The path below which a signed-in person's questions are handed on to the vault. */
export const vaultUnder = '/relay/vault';

export type VaultRelay = {
  readonly answer: (request: Request, address: string) => Promise<Response>;
  /** A session ended, or what its person may; null: who knows which. */
  readonly drop: (sessionId: string | null) => void;
  readonly close: () => Promise<void>;
};

const { login, refresh, logout, signInPerson, endPerson, watchSession, ...others } = vaultRoutes;
/** All that a console asks; logging in and out is not its business here. */
const relayed: readonly Route[] = Object.values(others);
const followed: readonly Route[] = [watchSession];
const { verifyToken } = vaultRoutes;

/** What the vault may have said; anything else is not passed on. */
const types = /^(application\/json|application\/jsonl|text\/plain)\b/;
const kept = ['content-type', 'retry-after', 'x-request-id'];

type Parts = { readonly passes: Passes; readonly limit: RateLimit; readonly whoCalls: WhoCalls };

/** Hands on what people ask who are signed in here, each with the token that the vault gave for them. */
export function openVaultRelay(url: URL, { passes, limit, whoCalls }: Parts): VaultRelay {
  const pool = new Pool(url.origin, { connections: 32, pipelining: 1, headersTimeout: 60_000 });
  const live: Live = createLive(url);

  async function ask(request: Request, path: string, body: Buffer | null, { token }: Pass) {
    const type = body === null ? {} : { 'content-type': 'application/json' };
    const {
      statusCode,
      headers,
      body: answer,
    } = await pool.request({
      path,
      method: request.method as 'GET',
      headers: { authorization: `Bearer ${token}`, ...type },
      body,
      signal: request.signal,
    });
    return { status: statusCode, headers, answer };
  }

  async function handOn(request: Request, caller: SessionCaller, path: string): Promise<Response> {
    const body = await bodyOf(request, say);
    if (body instanceof Response) return body;
    for (let tries = 1; ; tries += 1) {
      const pass = await passes.of(caller);
      if (!pass.ok) return said(pass.error);
      const { status, headers, answer } = await ask(request, path, body, pass.value);
      // The vault ended it: what it then refused was not done, and is asked once more.
      if (status === 401) passes.isSpent(caller.sessionId, pass.value.token);
      if (status === 401 && tries === 1) {
        await answer.dump();
        continue;
      }
      if (!types.test(String(headers['content-type'] ?? ''))) {
        await answer.dump();
        return refused('internal_error', 'the vault’s answer could not be read');
      }
      const shown = kept.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, String(headers[name])]],
      );
      const stream = Readable.toWeb(answer) as NodeStream as ReadableStream<Uint8Array>;
      return new Response(stream, { status, headers: { ...Object.fromEntries(shown), ...plain } });
    }
  }

  async function answer(request: Request, address: string): Promise<Response> {
    const wait = limit.take(address);
    if (wait !== null) return refused('rate_limited', `too many requests: wait ${wait} s`);
    const called = await whoCalls(request);
    if (!called.ok)
      return refused(isSignedOut(called.error) ? 'unauthorized' : 'insufficient_scope', called.error.msg);
    const caller = called.value;
    const { roles } = caller.person;
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice(vaultUnder.length);
    const hasRoom = vaultScopesOf(roles).length > 0;
    if (path === '/session') return hasRoom ? whoIsThere(await passes.of(caller)) : nobodyThere();
    if (!hasRoom) return refused('insufficient_scope', noRoom);
    const { method } = request;
    if (followed.some((route) => routeFor([route], { method, path }, say) === route)) {
      const pass = await passes.of(caller);
      if (!pass.ok) return said(pass.error);
      const { token } = pass.value;
      return live.follow(path + search, token, caller, () => passes.isSpent(caller.sessionId, token));
    }
    const route = routeFor(relayed, { method, path }, say);
    if (route instanceof Response) return route;
    // A generated token outlives a session, and so changes something: no scope stands before it.
    const asks = route.method === 'GET' || route.path === verifyToken.path;
    if (!asks && !changesTheVault(roles)) return refused('insufficient_scope', readsOnly);
    return handOn(request, caller, path + search);
  }

  return {
    answer: (request, address) =>
      answer(request, address).catch(() => refused('internal_error', 'the vault is not responding')),
    drop(sessionId) {
      passes.drop(sessionId);
      live.end(sessionId);
    },
    async close() {
      live.end(null);
      await pool.destroy();
    },
  };
}

const noRoom = 'your roles give you nothing to do in the vault';
const readsOnly = 'your roles let you read the vault and change nothing in it';

/** Null: not by this session. */
const there = (username: string | null): Response => Response.json({ username }, { headers: plain });
const nobodyThere = (): Response => there(null);

function whoIsThere(pass: Awaited<ReturnType<Passes['of']>>): Response {
  if (pass.ok) return there(pass.value.name);
  return pass.error.code === 'insufficient_scope' ? nobodyThere() : said(pass.error);
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
