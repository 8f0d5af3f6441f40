import type { Route } from '@countersign/protocol/route';
import { ok, type Result } from '@countersign/protocol/result';
import { readBytes } from '@countersign/service/http-input';
import type { Refusal } from '../refusal.ts';
import type { No, Pass, Passes, Seen } from './passes.ts';

/** Who is signed in here, or why nobody is heard. */
export type WhoCalls = (request: Request) => Promise<Result<Seen, Refusal>>;

/** Returns whether a session would be heard: nobody is signed in, or not any longer. */
export const isSignedOut = ({ code }: Refusal): boolean =>
  code === 'ACCESS_TOKEN_REQUIRED' || code === 'AUTHENTICATION_FAILED';

/** Answers in another part's own words. */
export type Say = (
  code: 'no-endpoint' | 'wrong-method' | 'media-type' | 'too-large',
  msg: string,
) => Response;

/** The route among these that a request is for; or why there is none. */
export function routeFor(
  routes: readonly Route[],
  { method, path }: { readonly method: string; readonly path: string },
  say: Say,
): Route | Response {
  const there = routes.filter((route) => leadsTo(route, path));
  if (there.length === 0) return say('no-endpoint', 'no such endpoint');
  const methods = there.map((route) => route.method as string);
  return (
    there.find((route) => route.method === method) ??
    say('wrong-method', `method must be ${methods.join(' or ')}`)
  );
}

const leadsTo = ({ path }: Route, asked: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(asked);

/** Returns the body to forward: nothing for GET, otherwise JSON; or the refusal. */
export async function bodyOf(request: Request, say: Say): Promise<Buffer | null | Response> {
  if (request.method === 'GET') return null;
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type)) return say('media-type', 'content-type must be application/json');
  const bytes = await readBytes(request);
  return bytes.ok ? Buffer.from(bytes.value) : say('too-large', bytes.error.msg);
}

/**
 * Asks with the token of this session. Where the part has ended it, what was then refused was not done, and is asked once
 * more with a new one; or why there is none.
 */
export async function withPass(
  passes: Passes,
  caller: Seen,
  ask: (pass: Pass) => Promise<Response>,
): Promise<Result<Response, No>> {
  for (let tries = 1; ; tries += 1) {
    const pass = await passes.of(caller);
    if (!pass.ok) return pass;
    const answer = await ask(pass.value);
    if (answer.status !== 401) return ok(answer);
    passes.isSpent(caller.sessionId, pass.value.token);
    if (tries > 1) return ok(answer);
    await answer.body?.cancel();
  }
}

/**
 * Headers that keep any answer under the console's origin from being treated as a page of it, whoever wrote
 * it.
 */
export const plain = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};
