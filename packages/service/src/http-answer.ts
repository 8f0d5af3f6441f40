import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Dialect, type Fault, faultStatus, type Refusal } from '@countersign/protocol/dialect';
import type { Context } from 'hono';
import type { Upgrade } from './channel.ts';
import type { Span } from './trace.ts';

/** The context of a request. `headers` are those of its answer. */
export type Env = {
  Bindings: {
    incoming?: { socket: { remoteAddress?: string | undefined; authorized?: boolean } };
    outgoing?: ServerResponse;
    upgrade?: Upgrade;
  };
  Variables: {
    route: string;
    requestId: string;
    caller: Span;
    headers: Record<string, string>;
    /** The status of a complete answer; for others the `Response` has it. */
    status: number | undefined;
  };
};

/** The three things that an API says, in its dialect. */
export type Speech = {
  readonly success: (c: Context<Env>, status: 200 | 201 | 202, data: unknown) => Response;
  readonly refuse: (c: Context<Env>, refusal: Refusal<string>, status?: number) => Response;
  readonly fault: (c: Context<Env>, fault: Fault, msg: string, data?: unknown) => Response;
};

export function speak(dialect: Dialect<string, string>): Speech {
  const refuse: Speech['refuse'] = (c, refusal, status = dialect.status(refusal.code)) =>
    answerWhole(c, status, JSON.stringify(dialect.refusal(refusal)), dialect.refusalType);
  return {
    success: (c, status, data) =>
      answerWhole(c, status, JSON.stringify(dialect.success(data)), 'application/json'),
    refuse,
    fault: (c, fault, msg, data) => refuse(c, { code: dialect.faults[fault], msg, data }, faultStatus[fault]),
  };
}

/**
 * Answers with what is there as a whole. On a connection of Node it is sent at once: a `Response` on the way there costs
 * more than everything else that HTTP needs.
 */
export function answerWhole(
  c: Context<Env>,
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  type?: string,
): Response {
  const headers = c.get('headers');
  if (type !== undefined) headers['content-type'] = type;
  c.set('status', status);
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return new Response(body, { status, headers });
  headers['content-length'] = String(Buffer.byteLength(body));
  outgoing.writeHead(status, headers).end(body);
  return RESPONSE_ALREADY_SENT;
}

/** Answers with bytes that may be a secret: they are wiped once they are sent. */
export function answerAndWipe(c: Context<Env>, bytes: Uint8Array<ArrayBuffer>): Response {
  c.env?.outgoing?.once('close', () => bytes.fill(0));
  return answerWhole(c, 200, bytes);
}

/** The status of an answer, however it was given. */
export const statusOf = (c: Context<Env>, response: Response): number => c.get('status') ?? response.status;
