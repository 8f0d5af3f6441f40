import { parseUrl } from '@countersign/protocol/url';
import { isObject } from '../downstream/dialect.ts';
import type { Offer } from './endpoint.ts';
import { methods, type Method, type Operation, type Parameter, toolName } from './operation.ts';
import { hasSteps } from './path-steps.ts';
import { Schemas, TooLarge } from './schema.ts';

/**
 * The contents of a document: its operations as tools, the number that cannot be called, and the hosts of
 * operations that are elsewhere.
 */
export type ReadDocument = {
  readonly offers: readonly Offer[];
  readonly leftOut: number;
  /** Origins, each once, some of many. */
  readonly elsewhere: readonly string[];
  readonly name: string | null;
  readonly instructions: string | null;
};

/** Why a text is no document of this host; `origin` is where it sends us. */
export type DocumentRefusal =
  | { readonly why: 'no-document' }
  | { readonly why: 'elsewhere'; readonly origin: string };

type Dictionary = Readonly<Record<string, unknown>>;

/** Equals the maximum number of tools listed for any service. */
const maxOperations = 512;
/** Paths, and operations with those that are left out, that are looked at. */
const maxLookedAt = 1024;
const maxParameters = 256;
/** Characters of a path or a server: whoever is asked for a longer one refuses it. */
const maxPath = 2048;
/** Maximum number of servers considered in a list. */
const maxServers = 16;
/** Other hosts that are told of. */
const maxNamed = 8;

/**
 * Reads an OpenAPI 3 document that came from `from`. Its operations are on the host of `server`, where the owner has named one;
 * otherwise on its own host, and a document that has all of them elsewhere is refused. `taken`: headers that are no argument's.
 */
export function readDocument(
  document: unknown,
  from: URL,
  server: URL | null,
  taken: readonly string[] = [],
): ReadDocument | DocumentRefusal {
  if (!isObject(document) || !/^3\.\d/.test(textOr(document['openapi'], ''))) return { why: 'no-document' };
  const here = server ?? from;
  const base = server === null ? baseIn(document['servers'], here) : baseAt(server);
  const headers = new Set(taken.map((name) => name.toLowerCase()));
  const within = server !== null && typeof base === 'string' ? base : '';
  const read = operationsOf(document, { base, here, within, headers });
  if (typeof base !== 'string' && read.offers.length === 0) return base;
  const { title, description } = isObject(document['info']) ? document['info'] : ({} as Dictionary);
  return { ...read, name: shownOr(title, null), instructions: shownOr(description, null) };
}

type Place = {
  /** The base URL of operations that name no server. */
  readonly base: string | DocumentRefusal;
  readonly here: URL;
  /** The path that the owner has named, which no operation's own server leaves; empty where there is none. */
  readonly within: string;
  /** The headers that the owner fills, in lower case. */
  readonly headers: ReadonlySet<string>;
};

function operationsOf(
  document: Dictionary,
  { base, here, within, headers }: Place,
): Omit<ReadDocument, 'name' | 'instructions'> {
  const schemas = new Schemas(document);
  const names = new Set<string>();
  const offers: Offer[] = [];
  const elsewhere = new Set<string>();
  let leftOut = 0;
  for (const found of operationsIn(document['paths'], schemas)) {
    const at = found.servers === null ? base : baseIn(found.servers, here, within);
    if (typeof at !== 'string' && at.why === 'elsewhere' && elsewhere.size < maxNamed)
      elsewhere.add(at.origin);
    const isTaken = typeof at === 'string' && offers.length < maxOperations;
    const offer = isTaken
      ? offerOf({ ...found, base: at, origin: here.origin, headers }, schemas, names)
      : null;
    if (offer === null) leftOut += 1;
    else offers.push(offer);
    if (offers.length + leftOut === maxLookedAt) break;
  }
  return { offers, leftOut, elsewhere: [...elsewhere] };
}

/** The path below which operations are, without a slash at its end: of the first of their servers that is on this host. */
function baseIn(servers: unknown, here: URL, within = ''): string | DocumentRefusal {
  if (!Array.isArray(servers) || servers.length === 0) return '';
  const urls = servers.slice(0, maxServers).map((server) => serverUrl(server, here));
  const isHere = (url: URL): boolean => url.host === here.host;
  const all = urls.filter((url) => url !== null);
  const found = all.find((url) => isHere(url) && `${url.pathname}/`.startsWith(`${within}/`));
  if (found) return baseAt(found);
  const elsewhere = all.find((url) => !isHere(url));
  return elsewhere === undefined ? { why: 'no-document' } : { why: 'elsewhere', origin: elsewhere.origin };
}

const baseAt = ({ pathname }: URL): string | DocumentRefusal =>
  pathname.length > maxPath ? { why: 'no-document' } : withoutLastSlashes(pathname);

/**
 * Returns the URL of a server; null if it is not one we may call. A relative URL is resolved against the
 * document, or the server that the owner configured instead.
 */
function serverUrl(server: unknown, here: URL): URL | null {
  if (!isObject(server) || typeof server['url'] !== 'string' || server['url'].length > maxPath) return null;
  const variables = isObject(server['variables']) ? server['variables'] : {};
  let isWhole = true;
  const text = server['url'].replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable['default'] : undefined;
    if (isPlainValue(value) && String(value).length <= maxPath) return String(value);
    isWhole = false;
    return '';
  });
  const url = isWhole && text.length <= maxPath ? parseUrl(text, here) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : null;
}

type Found = {
  readonly method: Method;
  readonly path: string;
  readonly operation: Dictionary;
  /** Parameters of the path, then of the operation, which override them. */
  readonly parameters: readonly unknown[];
  /** Its own, or those of its path; null: as the document says. */
  readonly servers: unknown;
};

function* operationsIn(paths: unknown, schemas: Schemas): Generator<Found> {
  if (!isObject(paths)) return;
  for (const [path, item] of Object.entries(paths).slice(0, maxLookedAt)) {
    const resolved = schemas.resolve(item);
    if (!path.startsWith('/') || !isObject(resolved)) continue;
    for (const method of methods) {
      const operation = resolved[method.toLowerCase()];
      if (!isObject(operation)) continue;
      const parameters = [resolved, operation].flatMap(parametersIn);
      const servers = [operation, resolved].map((owner) => owner['servers']).find(isFilledList) ?? null;
      yield { method, path, operation, parameters, servers };
    }
  }
}

type Placed = Found & Pick<Place, 'headers'> & { readonly base: string; readonly origin: string };

/** Null for an operation that cannot be called with JSON. */
function offerOf(found: Placed, schemas: Schemas, taken: Set<string>): Offer | null {
  try {
    const read = inputOf(found, schemas);
    return read && { definition: definitionOf(found, read, schemas, taken), operation: read.operation };
  } catch (error) {
    if (error instanceof TooLarge) return null;
    throw error;
  }
}

type Input = { readonly operation: Operation; readonly inputSchema: Record<string, unknown> };

function inputOf(found: Placed, schemas: Schemas): Input | null {
  const { method, parameters } = found;
  const path = pathOf(found);
  if (path === null) return null;
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const all = parametersOf(parameters, schemas);
  const body = bodyOf(found.operation['requestBody'], schemas);
  if (all === null || body === 'unusable') return null;
  const read = all.filter(
    ({ in: where, name }) => where !== 'header' || !found.headers.has(name.toLowerCase()),
  );
  const names = new Set(body === null ? [] : ['body']);
  const placed = read.map((parameter): Parameter => {
    const { name } = parameter;
    const argument = unique(names.has(name) ? `${name}_${parameter.in}` : name, names);
    properties[argument] = parameter.schema;
    if (parameter.isRequired) required.push(argument);
    return { argument, name: parameter.name, in: parameter.in, form: parameter.form };
  });
  if (body !== null) properties['body'] = body.schema;
  if (body?.isRequired === true) required.push('body');
  const inPath = new Set(placed.filter(({ in: where }) => where === 'path').map(({ name }) => name));
  if ([...path.matchAll(/\{([^{}]*)\}/g)].some(([, name = '']) => !inPath.has(name))) return null;
  return {
    operation: {
      method,
      path,
      search: '',
      parameters: placed,
      bodyArgument: body === null ? null : 'body',
      others: 'none',
    },
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
  };
}

/**
 * From the root of the host; whatever a path would be read as, it is written so, but for its parameters. Null for one that is
 * too long, or steps out of its server's.
 */
function pathOf({ base, path, origin }: Placed): string | null {
  if (path.length > maxPath) return null;
  const { pathname } = new URL(origin + base + path.replaceAll('?', '%3F').replaceAll('#', '%23'));
  if (!pathname.startsWith(`${base}/`) || hasSteps(pathname)) return null;
  return pathname.replaceAll('%7B', '{').replaceAll('%7D', '}');
}

type ReadParameter = Omit<Parameter, 'argument'> & {
  readonly isRequired: boolean;
  readonly schema: unknown;
};

/** Null where one is needed that nobody can give. */
function parametersOf(list: readonly unknown[], schemas: Schemas): readonly ReadParameter[] | null {
  const byPlace = new Map<string, ReadParameter>();
  for (const listed of list) {
    const parameter = schemas.resolve(listed);
    if (!isObject(parameter) || typeof parameter['name'] !== 'string') continue;
    const read = parameterOf(parameter['name'], parameter, schemas);
    if (read === null && parameter['in'] === 'cookie' && parameter['required'] === true) return null;
    if (read !== null) byPlace.set(`${read.in} ${read.name}`, read);
  }
  return [...byPlace.values()];
}

function parameterOf(name: string, parameter: Dictionary, schemas: Schemas): ReadParameter | null {
  const where = parameter['in'];
  if (where !== 'path' && where !== 'query' && where !== 'header') return null;
  if (name === '__proto__' || (where === 'header' && !isOpenHeader(name))) return null;
  // A name cannot be cut: it would be another.
  if (schemas.words(name) !== name) throw new TooLarge();
  const asJson = at(parameter['content'], 'application/json');
  const description = schemas.words(parameter['description']);
  const schema = schemas.whole(asJson === undefined ? parameter['schema'] : asJson['schema']);
  return {
    name,
    in: where,
    form: asJson === undefined ? formOf(where, parameter) : 'json',
    isRequired: where === 'path' || parameter['required'] === true,
    schema: description === '' ? schema : { ...schema, description },
  };
}

function formOf(where: Parameter['in'], { style, explode }: Dictionary): Parameter['form'] {
  if (where !== 'query' || explode === false) return 'joined';
  return style === 'deepObject' ? 'deep' : 'exploded';
}

/** Headers that an agent may set: none that says who asks, how the message is framed, or what is paid. */
const isOpenHeader = (name: string): boolean =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
  !/^(accept(-encoding)?|content-.*|authorization|proxy-.*|host|cookie2?|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|via|forwarded|x-forwarded-.*|x-real-ip|x-http-method(-override)?|x-method-override|x-(original|rewrite)-url|traceparent|tracestate|user-agent|x-payment.*|payment-.*|sec-.*)$/i.test(
    name,
  );

type Body = { readonly schema: unknown; readonly isRequired: boolean };

/** The JSON body; `unusable` where one is needed of another type. */
function bodyOf(requestBody: unknown, schemas: Schemas): Body | 'unusable' | null {
  const body = schemas.resolve(requestBody);
  if (!isObject(body)) return null;
  const isRequired = body['required'] === true;
  const types = isObject(body['content']) ? schemas.narrow(body['content']) : {};
  const json = Object.keys(types).find((type) =>
    /^application\/(json|[\w.-]+\+json)\s*(;|$)|^\*\/\*$/i.test(type),
  );
  if (json === undefined) return isRequired ? 'unusable' : null;
  const media = types[json];
  return { schema: schemas.whole(isObject(media) ? media['schema'] : undefined), isRequired };
}

function definitionOf(
  found: Placed,
  { inputSchema, operation }: Input,
  schemas: Schemas,
  taken: Set<string>,
): Record<string, unknown> {
  const { operationId, summary, description } = found.operation;
  const { method, path } = operation;
  const words = [summary, description].map((text) => schemas.words(text)).filter((text) => text !== '');
  const name =
    toolName(textOr(operationId, '')) || toolName(method.toLowerCase() + found.path) || 'operation';
  return {
    name: unique(name, taken),
    // Not shown, but pinned: another address is another tool, and so is another place of an argument.
    title: `${method} ${found.origin}${path}${placesIn(operation)}`,
    description: [...new Set(words)].join('\n\n'),
    inputSchema,
  };
}

/** Returns where each argument goes, in canonical order: a document may list them in any order. */
function placesIn({ parameters, bodyArgument }: Operation): string {
  const places = parameters.map(({ argument, name, in: where, form }) => [argument, where, form, name]);
  const all = [...places, ...(bodyArgument === null ? [] : [[bodyArgument, 'body']])];
  return all.length === 0 ? '' : ` ${JSON.stringify(all.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)))}`;
}

function unique(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  taken.add(free);
  return free;
}

/** Each list is cut before it is copied: many operations may share one. */
const parametersIn = (owner: Dictionary): readonly unknown[] =>
  listOf(owner['parameters']).slice(0, maxParameters);

function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

const isPlainValue = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const isFilledList = (value: unknown): boolean => listOf(value).length > 0;

const at = (value: unknown, name: string): Dictionary | undefined =>
  isObject(value) && isObject(value[name]) ? value[name] : undefined;

/** More is not shown, so it is not kept. */
const shownOr = <T>(value: unknown, otherwise: T): string | T =>
  typeof value === 'string' ? value.slice(0, 8192) : otherwise;

const textOr = <T>(value: unknown, otherwise: T): string | T =>
  typeof value === 'string' ? value : otherwise;
