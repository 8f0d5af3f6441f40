import { postgresDefinition } from '@countersign/protocol/control/connector';
import type { Rows } from '../../channel/connector.ts';
import type { Program } from '../program.ts';

/** Runs the statement that `action` names, with `params` in the order of the definition. */
export const runStatement: Program = async ({ definition, action, params }, broker) => {
  const { actions } = postgresDefinition.parse(definition);
  const statement = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (statement === undefined)
    return { end: 'invalid_params', message: 'The connector has no action of this name.' };
  const unknown = Object.keys(params).find((name) => !statement.params.includes(name));
  if (unknown !== undefined)
    return { end: 'invalid_params', message: `params.${unknown} is not known to the action.` };
  const missing = statement.params.find((name) => !Object.hasOwn(params, name));
  if (missing !== undefined) return { end: 'invalid_params', message: `params.${missing} is missing.` };
  const answer = await broker.query({ values: statement.params.map((name) => textOf(params[name])) });
  return 'refused' in answer
    ? { end: 'target_error', data: answer.refused }
    : { end: 'completed', data: shape(answer) };
};

/**
 * Returns a parameter as text, which PostgreSQL parses by the parameter's type. Lists and objects become
 * JSON.
 */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const shape = ({ fields, rows, count }: Rows) => ({
  rows: rows.map((row) =>
    Object.fromEntries(fields.map(({ name, type }, at) => [name, valueOf(type, row[at] ?? null)])),
  ),
  row_count: count,
});

/** Types by their number (pg_type): bool, int2, int4, json, jsonb. What JSON cannot say exactly stays text. */
const [bool, exactInJson, json] = [16, new Set([21, 23]), new Set([114, 3802])];

function valueOf(type: number, text: string | null): unknown {
  if (text === null) return null;
  if (type === bool) return text === 't';
  if (exactInJson.has(type)) return Number(text);
  if (json.has(type)) return JSON.parse(text) as unknown;
  return text;
}
