import { isObject } from '../downstream/dialect.ts';
import { type Operation, type Parameter, toolName } from './operation.ts';
import { plainSchema } from './schema.ts';
import type { EndpointSetting } from './settings.ts';

/** A tool as its service would list it, and what a call of it is. */
export type Offer = { readonly definition: Record<string, unknown>; readonly operation: Operation };

/**
 * A plain x402 endpoint as a tool. What the owner wrote counts; the rest is what it says in `requirement`, the 402 that it
 * answers without payment. Null where it takes anything but JSON.
 */
export function offerOf(setting: EndpointSetting, requirement: unknown): Offer | null {
  const { url, method } = setting;
  const path = url.pathname.replaceAll('%7B', '{').replaceAll('%7D', '}');
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => decodeURIComponent(name));
  const told = toldBy(requirement);
  if (setting.inputSchema === null && told.bodyType !== undefined && told.bodyType !== 'json') return null;
  const inPath = (name: string): Parameter => ({ argument: name, name, in: 'path', form: 'joined' });
  const operation: Operation = {
    method,
    path,
    search: url.search,
    parameters: names.map(inPath),
    bodyArgument: null,
    others: method === 'GET' || method === 'DELETE' ? 'query' : 'body',
  };
  const definition = {
    name: setting.name ?? nameOf(setting, path),
    // Not shown, but pinned: another address is another tool.
    title: `${method} ${url.origin}${path}`,
    description: setting.description ?? told.description ?? '',
    inputSchema: withPathNames(setting.inputSchema ?? told.inputSchema, names),
    ...(isObject(requirement) && { _meta: { x402: requirement } }),
  };
  return { definition, operation };
}

const nameOf = ({ method, serviceId }: EndpointSetting, path: string): string =>
  toolName(method.toLowerCase() + path) || serviceId;

type Schema = Readonly<Record<string, unknown>>;
type Told = { readonly inputSchema: Schema; readonly description?: string; readonly bodyType?: unknown };

/** A path parameter that no schema tells of is text. */
function withPathNames(schema: Schema, names: readonly string[]): Schema {
  if (names.length === 0) return schema;
  const { properties, required } = schema;
  const missing = names.map((name) => [name, { type: 'string' }] as const);
  return {
    ...schema,
    properties: { ...Object.fromEntries(missing), ...(isObject(properties) ? properties : {}) },
    required: [...new Set([...(Array.isArray(required) ? (required as unknown[]) : []), ...names])],
  };
}

/**
 * Returns what a 402 describes of its endpoint: v2 in the extension "bazaar", v1 in `outputSchema` of its
 * first entry.
 */
function toldBy(requirement: unknown): Told {
  if (!isObject(requirement)) return { inputSchema: anything };
  return requirement['x402Version'] === 1 ? toldByV1(requirement) : toldByV2(requirement);
}

const anything = { type: 'object' };

function toldByV2({ extensions, resource }: Schema): Told {
  const description = textOf(isObject(resource) ? resource['description'] : undefined);
  const bazaar = at(extensions, 'bazaar');
  const input = at(bazaar, 'info', 'input');
  const schemas = at(bazaar, 'schema', 'properties', 'input', 'properties');
  const parts = (['pathParams', 'queryParams', 'body'] as const).map((part) =>
    partSchema(schemas?.[part], input?.[part]),
  );
  return { inputSchema: merged(parts), ...description, bodyType: input?.['bodyType'] };
}

/** The schema of some arguments; without one, the names of an example. */
function partSchema(schema: unknown, example: unknown): Schema {
  if (isObject(schema)) return schema;
  if (!isObject(example)) return {};
  return { properties: Object.fromEntries(Object.keys(example).map((name) => [name, {}])) };
}

function toldByV1({ accepts }: Schema): Told {
  const first: unknown = Array.isArray(accepts) ? accepts[0] : undefined;
  if (!isObject(first)) return { inputSchema: anything };
  const input = at(first, 'outputSchema', 'input');
  const fields = [input?.['queryParams'], input?.['bodyFields']].filter(isObject);
  return {
    inputSchema: merged(fields.map(fieldSchema)),
    ...textOf(first['description']),
    bodyType: input?.['bodyType'],
  };
}

/** v1 gives each field a definition of its own, with `required` in it, or just words. */
function fieldSchema(fields: Schema): Schema {
  const required = Object.entries(fields).filter(
    ([, field]) => isObject(field) && field['required'] === true,
  );
  const properties = Object.entries(fields).map(([name, field]) => [name, fieldOf(field)] as const);
  return { properties: Object.fromEntries(properties), required: required.map(([name]) => name) };
}

function fieldOf(field: unknown): Schema {
  if (!isObject(field)) return typeof field === 'string' ? { description: field } : {};
  const { required, ...schema } = field;
  return typeof required === 'boolean' ? schema : field;
}

function merged(parts: readonly Schema[]): Schema {
  const named = parts.map((part) => (isObject(part['properties']) ? part['properties'] : {}));
  const required = parts.flatMap((part) =>
    Array.isArray(part['required']) ? (part['required'] as unknown[]) : [],
  );
  return plainSchema({ ...anything, properties: Object.assign({}, ...named) as Schema, required });
}

/** The object below these names; undefined where there is none. */
function at(value: unknown, ...names: readonly string[]): Record<string, unknown> | undefined {
  const below = names.reduce<unknown>((parent, name) => (isObject(parent) ? parent[name] : undefined), value);
  return isObject(below) ? below : undefined;
}

const textOf = (text: unknown): { description?: string } =>
  typeof text === 'string' ? { description: text } : {};
