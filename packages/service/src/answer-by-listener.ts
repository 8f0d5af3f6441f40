import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Env } from './http-answer.ts';

/**
 * Lets code that was written for node:http answer on the connection itself, under the headers that every answer has.
 * What it gives instead of answering is sent as usual.
 */
export async function answerByListener(
  c: Context<Env>,
  serve: (response: ServerResponse) => Promise<Response | null>,
): Promise<Response> {
  const { outgoing } = c.env;
  if (outgoing === undefined) throw new Error('this needs a connection of node:http');
  const headers = Object.entries(c.get('headers'));
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  const answer = await serve(outgoing);
  if (answer === null) {
    c.set('status', outgoing.statusCode);
    return RESPONSE_ALREADY_SENT;
  }
  for (const [name, value] of headers) {
    outgoing.removeHeader(name);
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  }
  return answer;
}
