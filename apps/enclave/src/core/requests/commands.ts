import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { ok, type Result } from '@countersign/protocol/result';
import { parseUrl } from '@countersign/protocol/url';
import { allowsUrl, parseAllowedUrls } from '@countersign/protocol/vault/url-scope';
import { maxRequestedBytes } from '@countersign/protocol/vault/request-routes';
import type { Socket } from 'node:net';
import type { ConnectorHost } from '../../channel/connector-host.ts';
import { ours } from '../broker/compose.ts';
import type { HttpRequest } from '../broker/exchange.ts';
import { type Reach, type ReachOptions, reachBy } from '../broker/reach.ts';
import { Substituting } from '../broker/substitute.ts';
import { record } from '../executions/record.ts';
import type { Handlers, Outcome } from '../serve.ts';
import { ask } from './ask.ts';
import { fill } from './fill.ts';
import { masked } from './masked.ts';

type Command = 'credential.request';
type Asked = Parameters<Handlers[Command]>[0];
type Reply = Extract<Outcome<Command>, { readonly ok: true }>['value']['reply'];
type Problem = NonNullable<Reply['problem']>;

/** The way out of the enclave, for whoever says what is sent over it. */
export type WayOut = {
  readonly dial: ConnectorHost['dial'];
  readonly secureContext: ReachOptions['secureContext'];
};

export type RequestParts = {
  readonly audit: Pick<AuditLog, 'append'>;
  /** Opens a credential once the record of that is on disk. */
  readonly open: Handlers['open'];
  readonly out: WayOut;
};

/**
 * Sends one request with a credential in its headers. It goes where the credential may go and nowhere else, no redirect is
 * followed, and what comes back has the credential in none of its forms.
 */
export const requestHandlers = (parts: RequestParts): Pick<Handlers, Command> => ({
  'credential.request': async (asked, _, gone) => {
    const { url: text, timeout_ms } = asked.send;
    const url = parseUrl(text);
    if (url === null || !allowsUrl(parseAllowedUrls(asked.allowedUrls), text))
      return refused(parts, asked, url);
    const over = AbortSignal.any([gone, AbortSignal.timeout(timeout_ms)]);
    const { dial, secureContext } = parts.out;
    const reach = reachBy({ dial, allowPrivate: 'named', secureContext, over });
    const reached = await connect(reach, url);
    return reached.ok ? send(parts, { asked, url, socket: reached.value, over, gone }) : none(reached.error);
  },
});

const none = (problem: Problem, auditId: string | null = null): Outcome<Command> =>
  ok({ reply: { auditId, answer: null, problem } });

type Sending = {
  readonly asked: Asked;
  readonly url: URL;
  /** On which nothing was said yet. */
  readonly socket: Socket;
  readonly over: AbortSignal;
  readonly gone: AbortSignal;
};

async function send(
  { open }: RequestParts,
  { asked, url, socket, over, gone }: Sending,
): Promise<Outcome<Command>> {
  const { binding, envelope, actor, agentDid, send: what } = asked;
  const reason = `request ${what.method} ${url.origin}`.slice(0, 500);
  const who = { actor, ...(agentDid !== undefined && { agentDid }) };
  const opened = await open({ binding, envelope, ...who, reason }, Buffer.alloc(0), gone);
  if (!opened.ok || opened.value.body === undefined) {
    socket.destroy();
    return opened.ok ? none('credential_unusable') : opened;
  }
  const { auditId } = opened.value.reply;
  const filled = fill(binding.type, opened.value.body, what.credential_headers);
  opened.value.body.fill(0);
  if (filled === null) {
    socket.destroy();
    return none('credential_unusable', auditId);
  }
  try {
    const stream = new Substituting(socket, filled.substitutions);
    const heard = await ask(stream, composed(asked, url, filled.headers), maxRequestedBytes, over);
    if (heard === null) return none('no_answer', auditId);
    const { body, ...answer } = await masked(heard, filled, over);
    return ok({ reply: { auditId, answer, problem: null }, body });
  } finally {
    for (const secret of filled.secrets) secret.fill(0);
    filled.masker.wipe();
  }
}

/** No header of the caller takes the place of one that the credential is in, nor says by itself who asks. */
function composed({ send: what }: Asked, url: URL, filled: HttpRequest['headers']): HttpRequest {
  const taken = new Set(['authorization', 'range', ...filled.map(([name]) => name.toLowerCase())]);
  const kept = Object.entries(what.headers).filter(
    ([name]) => !ours.test(name) && !taken.has(name.toLowerCase()),
  );
  const body = Buffer.from(what.body ?? '');
  const hasBody = what.body !== undefined || /^(POST|PUT|PATCH)$/.test(what.method);
  return {
    method: what.method,
    path: url.pathname + url.search,
    headers: [
      ['host', url.host],
      // It is closed by us: a service that closes it while the body arrives would take its answer back.
      ['connection', 'keep-alive'],
      ['accept-encoding', 'identity'],
      ...kept,
      ...filled,
      ...(hasBody ? [['content-length', String(body.length)] as const] : []),
    ],
    body,
  };
}

async function connect(
  { tcp, tls }: Reach,
  { protocol, hostname, port }: URL,
): Promise<Result<Socket, Problem>> {
  const isTls = protocol === 'https:';
  const reached = await tcp(hostname, Number(port || (isTls ? 443 : 80)));
  const secured = reached.ok && isTls ? await tls(reached.value, hostname) : reached;
  if (secured.ok) return secured;
  return { ok: false, error: secured.error.code === 'egress_denied' ? 'private_address' : 'unreachable' };
}

/** The credential may not go there, which is on record before it is told. */
async function refused(
  { audit }: RequestParts,
  { binding, actor, agentDid, send: { method } }: Asked,
  url: URL | null,
): Promise<Outcome<Command>> {
  const { tenantId, credentialId } = binding;
  const recorded = await record(audit, {
    eventType: 'policy_rejected',
    tenantId,
    credentialId,
    ...(agentDid !== undefined && { agentDid }),
    actor,
    detail: { rule: 'request.outside-allowed-urls', method, origin: url?.origin.slice(0, 500) ?? null },
  });
  return recorded.ok ? none('outside_allowed_urls', recorded.value.auditId) : recorded;
}
