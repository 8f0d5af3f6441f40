import type { Definition } from '../connector.ts';
import { fail, ok, type Result } from '../../result.ts';
import { type HttpOperation, operationOf, type Parameter, placeholder } from './operation.ts';

export type Filled = {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
};
type Params = Readonly<Record<string, unknown>>;

/**
 * The request that an action is with these params: they fill path, query, header and cookie parameters by name, and the
 * rest is the JSON body. A refusal names what does not fit, never its value.
 */
export function fill(definition: Definition<'http'>, action: string, params: Params): Result<Filled, string> {
  const operation = operationOf(definition, action);
  if (operation === null) return fail('The connector has no action with this name.');
  const texts = readTexts(operation, params);
  if (!texts.ok) return texts;
  const path = fillPath(operation.template, texts.value);
  if (!path.ok) return path;
  const body = bodyOf(operation, params);
  if (!body.ok) return body;
  const { texts: named } = texts.value;
  const query = named('query').flatMap(({ name, values }) =>
    values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  const cookies = named('cookie').map(
    ({ name, values }) => `${name}=${encodeURIComponent(values.join(','))}`,
  );
  const headers: [string, string][] = named('header').map(({ name, values }) => [name, values.join(',')]);
  if (cookies.length > 0) headers.push(['cookie', cookies.join('; ')]);
  if (body.value !== null) headers.push(['content-type', 'application/json']);
  headers.push(['accept', 'application/json, */*;q=0.5']);
  return ok({
    method: operation.method,
    url: `${baseOf(definition)}${path.value}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: Object.fromEntries(headers),
    body: body.value,
  });
}

/** The first server, without a slash at its end. */
function baseOf({ servers }: Definition<'http'>): string {
  const { origin, pathname } = new URL(servers[0]?.url ?? '');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

type Text = { readonly name: string; readonly in: Parameter['in']; readonly values: readonly string[] };
type Texts = { readonly texts: (where: Parameter['in']) => readonly Text[] };

/** OpenAPI ignores header parameters with these names; other parts of a document describe them. */
const notAParameter = /^(accept|content-type|authorization)$/i;

function readTexts({ parameters }: HttpOperation, params: Params): Result<Texts, string> {
  const texts: Text[] = [];
  for (const { name, in: where, required } of parameters) {
    if (where === 'header' && notAParameter.test(name)) continue;
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) {
      if (required || where === 'path') return fail(`params.${name} is missing.`);
      continue;
    }
    const values = (Array.isArray(value) ? value : [value]).map(textOf);
    if (!values.every((one) => one !== null))
      return fail(`params.${name} must be a string, a number, true or false, or a list of these.`);
    // A control character could end a line of the request.
    if (where === 'header' && values.some((one) => /[^\t\x20-\x7e\xa0-\xff]/.test(one)))
      return fail(
        `params.${name} must be a string without control characters because it goes into a header.`,
      );
    texts.push({ name, in: where, values });
  }
  return ok({ texts: (where) => texts.filter((text) => text.in === where) });
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? value : null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Each value stays within its segment, and no segment becomes one that leads elsewhere. */
function fillPath(template: string, { texts }: Texts): Result<string, string> {
  const values = new Map(texts('path').map(({ name, values }) => [name, values.join(',')]));
  for (const [name, value] of values)
    if (value === '' || value.split(/[/\\]/).some((part) => part === '.' || part === '..'))
      return fail(`params.${name} must be a non-empty string that does not lead to another path.`);
  const path = template.replaceAll(placeholder, (_whole, name: string) =>
    encodeURIComponent(values.get(name) ?? ''),
  );
  return path.split('/').some(isDots) ? fail('params lead to another path.') : ok(path);
}

/** Returns whether a path segment is `.` or `..`, percent-encoded or not. */
export const isDots = (segment: string): boolean => /^(\.|%2e){1,2}$/i.test(segment);

function bodyOf({ parameters, body }: HttpOperation, params: Params): Result<string | null, string> {
  const named = new Set(parameters.map(({ name }) => name));
  const rest = Object.entries(params).filter(([name]) => !named.has(name));
  if (body === 'other') return fail('The action takes no JSON body, and a connector can send no other kind.');
  if (body === 'json') return ok(JSON.stringify(Object.fromEntries(rest)));
  const [left] = rest;
  if (body === 'undeclared' && left !== undefined) return ok(JSON.stringify(Object.fromEntries(rest)));
  return left === undefined ? ok(null) : fail(`params.${left[0]} is not a parameter of the action.`);
}
