import { batchRoutes } from '@countersign/protocol/control/batch-routes';
import { controlCredentialRoutes } from '@countersign/protocol/control/credential-routes';
import type { ControlCode } from '@countersign/protocol/control/codes';
import { decisionRoutes } from '@countersign/protocol/control/decision-routes';
import { controlDialect } from '@countersign/protocol/control/dialect';
import { executionRoutes } from '@countersign/protocol/control/execution-routes';
import { policyRoutes } from '@countersign/protocol/control/policy-routes';
import type { Route } from '@countersign/protocol/route';
import { askForText } from '@countersign/service/exchange';
import { readBytes } from '@countersign/service/http-input';
import type { RateLimit } from '@countersign/service/rate-limit';
import { Pool } from 'undici';

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

/**
 * Browsers believe no CA of one machine, so the dashboard speaks with the control plane in their place: over TLS 1.3, with the
 * caller's own key and no right of its own. A page of another site cannot use it: it has no key to show, and
 * `Authorization` is never sent by a browser on its own.
 */
export function openRelay({ url, ca }: RelayConfig, limit: RateLimit): Relay {
  const tls = { minVersion: 'TLSv1.3', ...(ca !== null && { ca }) } as const;
  const pool = new Pool(url.origin, { connections: 16, pipelining: 1, connect: tls });
  return {
    relay: async (request, address) => {
      const wait = limit.take(address);
      if (wait !== null) return refused('rate_limited', `too many requests: wait ${wait} s`);
      const { pathname, search } = new URL(request.url);
      const path = pathname.slice(relayedUnder.length);
      const methods = relayed.filter((route) => leadsTo(route, path)).map(({ method }) => method as string);
      if (methods.length === 0) return refused('not_found', 'no such endpoint');
      if (!methods.includes(request.method))
        return refused('method_not_allowed', `method must be ${methods.join(' or ')}`);
      const authorization = request.headers.get('authorization');
      if (authorization === null || !/^Bearer [\w.~+/-]{1,512}$/i.test(authorization))
        return refused('unauthorized', 'a key is required: Authorization: Bearer <api_key>');
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      const headers = { authorization, ...(body !== null && { 'content-type': 'application/json' }) };
      const method = request.method as Route['method'];
      const asked = { method, path: path + search, headers, body };
      const answer = await askForText(pool, asked, { ...limits, signal: request.signal });
      return answer.kind === 'answer'
        ? answered(answer.status, answer.text)
        : refused('not_ready', 'the control plane is not responding');
    },
    close: () => pool.destroy(),
  };
}

const leadsTo = ({ path }: Route, asked: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(asked);

/** What is sent on: nothing with GET, else JSON; or why it is not. */
async function bodyOf(request: Request): Promise<Buffer | null | Response> {
  if (request.method === 'GET') return null;
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type))
    return refused('unsupported_media_type', 'content-type must be application/json');
  const bytes = await readBytes(request);
  return bytes.ok ? Buffer.from(bytes.value) : refused('payload_too_large', bytes.error.msg);
}

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

const plain = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
