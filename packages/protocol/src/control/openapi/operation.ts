import type { Definition } from '../connector.ts';
import { z } from 'zod';

const parameter = z.looseObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().default(false),
});
export type Parameter = z.output<typeof parameter>;

const requestBodyOf = z.looseObject({
  content: z.record(z.string(), z.unknown()).default({}),
});

const security = z.array(z.record(z.string(), z.unknown()));

const operation = z.looseObject({
  operationId: z.string().optional(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.unknown().optional(),
  security: security.optional(),
  responses: z.record(z.string(), z.unknown()).catch({}),
  'x-countersign-idempotent': z.boolean().default(false),
});

const securityScheme = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('apiKey'),
    in: z.enum(['header', 'query', 'cookie']),
    name: z.string().regex(/^[\w.-]{1,128}$/),
  }),
  z.looseObject({ type: z.literal('http'), scheme: z.string() }),
  z.looseObject({ type: z.literal('oauth2') }),
  z.looseObject({ type: z.literal('openIdConnect') }),
]);
export type SecurityScheme = z.output<typeof securityScheme>;

/** The parts of an OpenAPI document that are needed to call one operation. */
export type HttpOperation = {
  readonly method: string;
  /** Such as `/orders/{id}`, below the servers' URLs. */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  /** Null where it takes none; `undeclared` where the document says nothing and the method may have one. */
  readonly body: 'json' | 'undeclared' | 'other' | null;
  /** JSON schema (2020-12) of a `json` body, of which references lead into the document; undefined where there is none. */
  readonly bodySchema: unknown;
  /**
   * Each a way to be allowed, an empty one without saying who asks; none: nobody is asked who they are. Where the document
   * says nothing, any of its schemes, or none.
   */
  readonly security: readonly Readonly<Record<string, unknown>>[];
  /** Does the same however often it is asked for: the document says so, whatever the method. */
  readonly isIdempotent: boolean;
  /** Statuses that say that nothing was done: always, or where the answer has a `Retry-After`. */
  readonly notDone: ReadonlyMap<number, 'always' | 'retry-after'>;
};

/** A placeholder in a path, whether its parameter is declared or not. */
export const placeholder = /\{([^{}/]+)\}/g;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** The operation of this id; null when there is none, or it cannot be read. */
export function operationOf(definition: Definition<'http'>, operationId: string): HttpOperation | null {
  for (const { template, item, method } of named(definition).get(operationId) ?? []) {
    const read = operation.safeParse(item[method]);
    if (!read.success) continue;
    const shared = Array.isArray(item['parameters']) ? (item['parameters'] as unknown[]) : [];
    return assemble(definition, { method: method.toUpperCase(), template, shared, ...read.data });
  }
  return null;
}

type Named = {
  readonly template: string;
  readonly item: Readonly<Record<string, unknown>>;
  readonly method: (typeof methods)[number];
};

/**
 * Indexes by definition, which is immutable, so that visiting a thousand operations does not search all of
 * them each time.
 */
const indexed = new WeakMap<object, ReadonlyMap<string, readonly Named[]>>();

/** Operations by their ids, in the order in which they stand there. */
function named({ paths }: Definition<'http'>): ReadonlyMap<string, readonly Named[]> {
  const known = indexed.get(paths);
  if (known !== undefined) return known;
  const all = new Map<string, Named[]>();
  for (const [template, item] of Object.entries(paths))
    for (const method of methods) {
      const id = (item[method] as { readonly operationId?: unknown } | null | undefined)?.operationId;
      if (typeof id !== 'string') continue;
      all.set(id, [...(all.get(id) ?? []), { template, item, method }]);
    }
  indexed.set(paths, all);
  return all;
}

type Found = z.output<typeof operation> & {
  readonly method: string;
  readonly template: string;
  readonly shared: readonly unknown[];
};

function assemble(document: Definition<'http'>, found: Found): HttpOperation | null {
  const parameters = new Map<string, Parameter>();
  // An operation's own take the place of those of its path.
  for (const one of [...found.shared, ...found.parameters]) {
    const read = parameter.safeParse(resolve(document, one));
    if (!read.success) return null;
    parameters.set(`${read.data.in} ${read.data.name}`, read.data);
  }
  for (const [, name = ''] of found.template.matchAll(placeholder))
    if (!parameters.has(`path ${name}`)) parameters.set(`path ${name}`, { name, in: 'path', required: true });
  const body = bodyOf(document, found);
  if (body === null) return null;
  const general = security.safeParse(document['security']);
  return {
    method: found.method,
    template: found.template,
    parameters: [...parameters.values()],
    ...body,
    security: found.security ?? (general.success ? general.data : anyScheme(document)),
    isIdempotent: found['x-countersign-idempotent'],
    notDone: notDoneOf(document, found.responses),
  };
}

/** Null where it cannot be read. */
function bodyOf(
  document: Definition<'http'>,
  { method, requestBody }: Found,
): Pick<HttpOperation, 'body' | 'bodySchema'> | null {
  if (requestBody === undefined) {
    const body = /^(POST|PUT|PATCH|DELETE)$/.test(method) ? 'undeclared' : null;
    return { body, bodySchema: undefined };
  }
  const read = requestBodyOf.safeParse(resolve(document, requestBody));
  if (!read.success) return null;
  const { content } = read.data;
  const mediaType = 'application/json' in content ? 'application/json' : Object.keys(content).find(isJson);
  if (mediaType === undefined) return { body: 'other', bodySchema: undefined };
  const described = content[mediaType] as { readonly schema?: unknown } | null | undefined;
  return { body: 'json', bodySchema: described?.schema };
}

const response = z.looseObject({
  headers: z.record(z.string(), z.unknown()).default({}),
  'x-countersign-not-done': z.boolean().default(false),
});

function notDoneOf(document: Definition<'http'>, responses: Found['responses']): HttpOperation['notDone'] {
  const found = new Map<number, 'always' | 'retry-after'>();
  for (const [status, one] of Object.entries(responses)) {
    const read = response.safeParse(resolve(document, one));
    if (!read.success || !/^[45]\d\d$/.test(status)) continue;
    const isDocumented = Object.keys(read.data.headers).some((name) => /^retry-after$/i.test(name));
    if (read.data['x-countersign-not-done']) found.set(Number(status), 'always');
    else if (isDocumented && /^(429|503)$/.test(status)) found.set(Number(status), 'retry-after');
  }
  return found;
}

function anyScheme(document: Definition<'http'>): HttpOperation['security'] {
  const schemes = resolve(document, { $ref: '#/components/securitySchemes' });
  const names = typeof schemes === 'object' && schemes !== null ? Object.keys(schemes) : [];
  return [...names.map((name) => ({ [name]: [] })), {}];
}

const isJson = (mediaType: string): boolean =>
  /^(application\/json|application\/[\w.+-]+\+json|\*\/\*|application\/\*)\s*(;|$)/i.test(mediaType);

/** Null where the document has none of this name, or one that nobody can fill from a credential. */
export function securitySchemeOf(document: Definition<'http'>, name: string): SecurityScheme | null {
  const read = securityScheme.safeParse(resolve(document, { $ref: `#/components/securitySchemes/${name}` }));
  return read.success ? read.data : null;
}

/**
 * Resolves a reference within the document; returns other values unchanged, and undefined for a reference to
 * another document.
 */
function resolve(document: unknown, value: unknown, hops = 8): unknown {
  const ref = (value as { readonly $ref?: unknown } | null | undefined)?.$ref;
  if (typeof ref !== 'string') return value;
  if (!ref.startsWith('#/') || hops === 0) return undefined;
  let at: unknown = document;
  for (const part of ref.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return resolve(document, at, hops - 1);
}
