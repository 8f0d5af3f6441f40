import { batchRoutes } from '@countersign/protocol/control/batch-routes';
import { controlCredentialRoutes } from '@countersign/protocol/control/credential-routes';
import type { ControlCode } from '@countersign/protocol/control/codes';
import { decisionRoutes } from '@countersign/protocol/control/decision-routes';
import { controlDialect } from '@countersign/protocol/control/dialect';
import { executionRoutes } from '@countersign/protocol/control/execution-routes';
import { policyRoutes } from '@countersign/protocol/control/policy-routes';
import type { Route } from '@countersign/protocol/route';
import { askForText } from '@countersign/service/exchange';
import type { RateLimit } from '@countersign/service/rate-limit';
import { controlCodes } from '@countersign/protocol/control/codes';
import { controlScopesOf } from '@countersign/protocol/dashboard/elsewhere';
import { Pool } from 'undici';
import {
  bodyOf,
  isSignedOut,
  plain,
  routeFor,
  type Say,
  type WhoCalls,
  withPass,
} from '../elsewhere/hand-on.ts';
import type { No, Passes } from '../elsewhere/passes.ts';
import type { Refusal } from '../refusal.ts';

export type RelayConfig = {
  /** Origin of the control plane. */
  readonly url: URL;
  /** PEM of whose certificates are believed; null: the public authorities. */
  readonly ca: string | null;
};

export type Relay = {
  /** Hands a request of the console on to the control plane, or says why not, as the control plane would. */
  readonly relay: (request: Request, address: string) => Promise<Response>;
  readonly close: () => Promise<void>;
};

/** The path below which requests are handed on. */
export const relayedUnder = '/control';

/** All that the console asks of a control plane; nothing else of it can be reached this way. */
const relayed: readonly Route[] = [
  executionRoutes.listExecutions,
  executionRoutes.getExecution,
  decisionRoutes.decideExecution,
  policyRoutes.listPolicies,
  policyRoutes.getPolicy,
  ...Object.values(batchRoutes),
  controlCredentialRoutes.listCredentials,
];

const limits = { timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024 };

/** People who are signed in here, and the tokens that the control plane gave for them. */
export type RelayedPeople = {
  readonly whoCalls: WhoCalls;
  readonly passes: Passes;
};

/**
 * Browsers believe no CA of one machine, so the dashboard speaks with the control plane in their place: over TLS 1.3, with the
 * caller's own key and no right of its own; a page of another site has none to show, and `Authorization` is never sent by
 * a browser on its own. Whoever shows no key is asked for by their session here, where `people` are signed in there too.
 */
export function openRelay({ url, ca }: RelayConfig, limit: RateLimit, people: RelayedPeople | null): Relay {
  const tls = { minVersion: 'TLSv1.3', ...(ca !== null && { ca }) } as const;
  const pool = new Pool(url.origin, { connections: 16, pipelining: 1, connect: tls });
  return {
    relay: async (request, address) => {
      const wait = limit.take(address);
      if (wait !== null) return refused('rate_limited', `too many requests: wait ${wait} s`);
      const { pathname, search } = new URL(request.url);
      if (pathname === sessionPath && people !== null) return whoIsThere(request, people);
      const path = pathname.slice(relayedUnder.length);
      const route = routeFor(relayed, { method: request.method, path }, say);
      return route instanceof Response ? route : handOn({ pool, people }, request, path + search);
    },
    close: () => pool.destroy(),
  };
}

type Parts = { readonly pool: Pool; readonly people: RelayedPeople | null };

async function handOn({ pool, people }: Parts, request: Request, path: string): Promise<Response> {
  const authorization = request.headers.get('authorization');
  const key = /^Bearer ([\w.~+/-]{1,512})$/i.exec(authorization ?? '')?.[1];
  // A key, good or bad, is never passed over in favour of the cookie.
  const by = authorization === null ? people : null;
  if (key === undefined && by === null)
    return refused('unauthorized', 'a key is required: Authorization: Bearer <api_key>');
  const body = await bodyOf(request, say);
  if (body instanceof Response) return body;
  const type = body === null ? {} : { 'content-type': 'application/json' };
  const method = request.method as Route['method'];
  const ask = async (token: string): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, ...type };
    const asked = { method, path, headers, body };
    const answer = await askForText(pool, asked, { ...limits, signal: request.signal });
    return answer.kind === 'answer'
      ? answered(answer.status, answer.text)
      : refused('not_ready', 'the control plane is not responding');
  };
  return by === null ? ask(key ?? '') : askAsPerson(request, by, ask);
}

async function askAsPerson(
  request: Request,
  { whoCalls, passes }: RelayedPeople,
  ask: (token: string) => Promise<Response>,
): Promise<Response> {
  const called = await whoCalls(request);
  if (!called.ok) return notHeard(called.error);
  if (controlScopesOf(called.value.person.roles).length === 0)
    return refused('insufficient_role', 'your roles give you nothing to do in the control plane');
  const answer = await withPass(passes, called.value, ({ token }) => ask(token));
  return answer.ok ? answer.value : said(answer.error);
}

async function whoIsThere(request: Request, { whoCalls, passes }: RelayedPeople): Promise<Response> {
  const called = await whoCalls(request);
  if (!called.ok) return notHeard(called.error);
  if (controlScopesOf(called.value.person.roles).length === 0) return there(null);
  const pass = await passes.of(called.value);
  if (pass.ok) return there(pass.value.name);
  return pass.error.code === 'insufficient_role' ? there(null) : said(pass.error);
}

const notHeard = (why: Refusal): Response =>
  refused(isSignedOut(why) ? 'unauthorized' : 'insufficient_role', why.msg);

/** The path at which a page asks for the name of its session there. */
const sessionPath = `${relayedUnder}/session`;

/** Answers with the session's name there; null: none. */
const there = (name: string | null): Response => Response.json({ name }, { headers: plain });

const isCode = (code: string): code is ControlCode => Object.hasOwn(controlCodes, code);

/** Why the control plane lets somebody not in. That our own word is not taken is no fault of theirs. */
const said = ({ code, msg }: No): Response =>
  isCode(code) && code !== 'unauthorized'
    ? refused(code, msg)
    : refused('not_ready', `the control plane let you not in: ${msg}`);

const say: Say = (fault, msg) => refused(controlDialect.faults[fault], msg);

/** Only what the control plane can have said: JSON, as data or as a refusal. */
function answered(status: number, text: string): Response {
  const data = parse(text);
  const isRefusal = status >= 400 && controlDialect.readRefusal(data) !== null;
  if (!isRefusal && (data === undefined || status < 200 || status >= 300))
    return refused('not_ready', 'the control plane’s answer could not be read');
  return respond(status, text, isRefusal ? controlDialect.refusalType : 'application/json');
}

const refused = (code: ControlCode, msg: string): Response =>
  respond(
    controlDialect.status(code),
    JSON.stringify(controlDialect.refusal({ code, msg })),
    controlDialect.refusalType,
  );

const respond = (status: number, text: string, type: string): Response =>
  new Response(text, { status, headers: { ...plain, 'content-type': type } });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
