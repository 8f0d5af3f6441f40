import { httpDefinition } from '@countersign/protocol/control/connector';
import { fill } from '@countersign/protocol/control/openapi/fill';
import type { Program } from '../program.ts';

/** Sends one request for the operation that `action` names. The broker judges what its status means. */
export const callHttp: Program = async ({ definition, action, params }, broker) => {
  const filled = fill(httpDefinition.parse(definition), action, params);
  if (!filled.ok) return { end: 'invalid_params', message: filled.error };
  const { body, ...ask } = filled.value;
  const answer = await broker.http(ask, body === null ? undefined : Buffer.from(body));
  return { end: answer.status < 300 ? 'completed' : 'target_error', data: dataOf(answer.text) };
};

/** JSON where it is, else the text; null of nothing. */
function dataOf(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
