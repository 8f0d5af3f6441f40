import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { ok, type Result } from '@countersign/protocol/result';
import { parseUrl } from '@countersign/protocol/url';
import { madeByMachines } from '@countersign/protocol/vault/credential';
import { allowsUrl, parseAllowedUrls } from '@countersign/protocol/vault/url-scope';
import { maxRequestedBytes } from '@countersign/protocol/vault/request-routes';
import type { Socket } from 'node:net';
import type { ConnectorHost } from '../../channel/connector-host.ts';
import { ours } from '../broker/compose.ts';
import type { HttpRequest } from '../broker/exchange.ts';
import { type Reach, type ReachOptions, reachBy } from '../broker/reach.ts';
import { Substituting } from '../broker/substitute.ts';
import type { Handlers, Outcome } from '../serve.ts';
import { ask } from './ask.ts';
import { fill } from './fill.ts';
import { masked } from './masked.ts';
import { tell } from './told.ts';
import { Places, Turns } from './turns.ts';

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
  readonly limits?: Partial<Limits>;
};

type Limits = {
  readonly atOnce: number;
  readonly ofOneTenant: number;
  /** Until TCP and TLS are there. */
  readonly connectMs: number;
  /** Answers that are masked at a time. */
  readonly masking: number;
};
const usual: Limits = { atOnce: 32, ofOneTenant: 8, connectMs: 10_000, masking: 2 };

/** Shared by all requests of one enclave. */
type Parts = RequestParts & { readonly connectMs: number; readonly turns: Turns };

/**
 * Sends one request with a credential in its headers. It goes where the credential may go and nowhere else, no redirect is
 * followed, and what comes back has the credential in none of its forms. Its end is on record before it is told.
 */
export function requestHandlers(given: RequestParts): Pick<Handlers, Command | 'credential.endRequest'> {
  const { atOnce, ofOneTenant, connectMs, masking } = { ...usual, ...given.limits };
  const parts = { ...given, connectMs, turns: new Turns(masking) };
  const places = new Places(atOnce, ofOneTenant);
  const underWay = new Map<string, AbortController>();
  return {
    'credential.request': async (asked, _, gone) => {
      const leave = places.take(asked.binding.tenantId);
      if (leave === null) return none('busy');
      const ended = new AbortController();
      underWay.set(asked.requestId, ended);
      const unheard = AbortSignal.any([gone, ended.signal]);
      try {
        return await request(parts, asked, unheard);
      } finally {
        underWay.delete(asked.requestId);
        leave();
      }
    },
    'credential.endRequest': ({ requestId }) => {
      underWay.get(requestId)?.abort();
      return ok({ reply: {} });
    },
  };
}

async function request(parts: Parts, asked: Asked, gone: AbortSignal): Promise<Outcome<Command>> {
  const { url: text, timeout_ms } = asked.send;
  const url = parseUrl(text);
  if (url === null || !allowsUrl(parseAllowedUrls(asked.allowedUrls), text))
    return refused(parts, asked, url, 'outside_allowed_urls');
  if (!madeByMachines.has(asked.binding.type)) return refused(parts, asked, url, 'credential_guessable');
  const over = AbortSignal.any([gone, AbortSignal.timeout(timeout_ms)]);
  const reached = await connect(parts, url, over);
  return reached.ok
    ? send(parts, { asked, url, socket: reached.value, over, gone })
    : ended(parts, { asked, url }, reached.error);
}

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

async function send(parts: Parts, sending: Sending): Promise<Outcome<Command>> {
  const { asked, url, socket, over, gone } = sending;
  const { binding, envelope, actor, agentDid, send: what } = asked;
  const reason = `request ${what.method} ${url.origin}`.slice(0, 500);
  const who = { actor, ...(agentDid !== undefined && { agentDid }) };
  const opened = await parts.open({ binding, envelope, ...who, reason }, Buffer.alloc(0), gone);
  if (!opened.ok || opened.value.body === undefined) {
    socket.destroy();
    return opened.ok ? none('credential_unusable') : opened;
  }
  const { auditId } = opened.value.reply;
  const filled = fill(binding.type, opened.value.body, what.credential_headers);
  opened.value.body.fill(0);
  if (filled === 'unusable' || filled === 'guessable') {
    socket.destroy();
    return filled === 'guessable'
      ? refused(parts, asked, url, 'credential_guessable')
      : ended(parts, sending, 'credential_unusable', auditId);
  }
  try {
    const stream = new Substituting(socket, filled.substitutions);
    const heard = await ask(stream, composed(asked, url, filled.headers), maxRequestedBytes, over);
    if (heard === null) return await ended(parts, sending, 'no_answer', auditId);
    const { body, ...answer } = await masked(heard, filled, over, parts.turns);
    const told = { eventType: 'request_ended', outcome: 'answered', status: answer.status } as const;
    const recorded = await tell(parts.audit, asked, url, told);
    return recorded.ok ? ok({ reply: { auditId, answer, problem: null }, body }) : recorded;
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

async function connect(parts: Parts, url: URL, over: AbortSignal): Promise<Result<Socket, Problem>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), parts.connectMs);
  const until = AbortSignal.any([over, late.signal]);
  const { dial, secureContext } = parts.out;
  const reach = reachBy({ dial, allowPrivate: 'named', secureContext, over: until });
  try {
    return await Promise.race([connected(reach, url), whenOver(until)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the request is over. Whoever dials closes a connection that opens after that. */
const whenOver = (over: AbortSignal): Promise<Result<Socket, Problem>> =>
  new Promise((resolve) => {
    const end = (): void => resolve({ ok: false, error: 'unreachable' });
    if (over.aborted) end();
    else over.addEventListener('abort', end, { once: true });
  });

async function connected(
  { tcp, tls }: Reach,
  { protocol, hostname, port }: URL,
): Promise<Result<Socket, Problem>> {
  const isTls = protocol === 'https:';
  const reached = await tcp(hostname, Number(port || (isTls ? 443 : 80)));
  const secured = reached.ok && isTls ? await tls(reached.value, hostname) : reached;
  if (secured.ok) return secured;
  return { ok: false, error: secured.error.code === 'egress_denied' ? 'private_address' : 'unreachable' };
}

/** It went no further, or nobody knows how far; that is on record before it is told. */
async function ended(
  { audit }: Parts,
  { asked, url }: Pick<Sending, 'asked' | 'url'>,
  problem: Problem,
  auditId?: string,
): Promise<Outcome<Command>> {
  const told = { eventType: 'request_ended', outcome: problem, status: null } as const;
  const recorded = await tell(audit, asked, url, told);
  return recorded.ok ? none(problem, auditId ?? recorded.value.auditId) : recorded;
}

const rules = {
  outside_allowed_urls: 'request.outside-allowed-urls',
  credential_guessable: 'request.not-made-by-machines',
} as const;

/** The credential may not go there, or not in this way, which is on record before it is told. */
async function refused(
  { audit }: Parts,
  asked: Asked,
  url: URL | null,
  problem: keyof typeof rules,
): Promise<Outcome<Command>> {
  const recorded = await tell(audit, asked, url, { eventType: 'policy_rejected', rule: rules[problem] });
  return recorded.ok ? none(problem, recorded.value.auditId) : recorded;
}
