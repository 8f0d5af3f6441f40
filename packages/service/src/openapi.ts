import { type Dialect, type Fault, faultStatus, type Json } from '@countersign/protocol/dialect';
import type { Route, RouteTable } from '@countersign/protocol/route';
import { z } from 'zod';
import { version } from './version.ts';

/** OpenAPI 3.1 of a route table: what the server accepts and answers, because both are made from the same object. */
export function describeApi(title: string, table: RouteTable, dialect: AnyDialect): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of Object.entries(table)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(name, route, dialect) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths,
    components: { securitySchemes: dialect.securitySchemes },
  };
}

type AnyDialect = Dialect<string, string>;

function describeRoute(name: string, route: Route, dialect: AnyDialect): Json {
  const proof = proofOf(route, dialect);
  return {
    operationId: name,
    // `/api/mandates/…` and `/api/v1/mandates/…` belong to mandates.
    tags: route.path
      .split('/')
      .filter((part) => part !== '' && !/^(?:api|v\d+)$/.test(part))
      .slice(0, 1),
    summary: route.summary,
    ...needsOf(route),
    security: proof.security,
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(hasBody(route, dialect) && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: bodySchema(route, dialect) } },
      },
    }),
    responses: describeResponses(route, dialect),
  };
}

function needsOf({ scope, roles }: Route): { description?: string } {
  const byScope = scope === undefined ? [] : [`Needs the scope \`${scope}\`.`];
  const byRole = roles === undefined ? [] : [`Roles: ${roles.join(', ')}.`];
  const needs = [...byScope, ...byRole];
  return needs.length === 0 ? {} : { description: needs.join(' ') };
}

function proofOf(route: Route, dialect: AnyDialect) {
  const proof = dialect.proofs[route.auth];
  if (proof === undefined) throw new Error(`this dialect does not know ${route.auth}`);
  return proof;
}

const hasBody = (route: Route, dialect: AnyDialect): boolean =>
  route.body !== undefined || route.auth === 'signature' || proofOf(route, dialect).fields !== undefined;

const pathParameters = (route: Route): Json[] =>
  [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters(route: Route): Json[] {
  if (route.query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(route.query) as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

const headerParameters = (route: Route): Json[] =>
  route.idempotent
    ? [{ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', maxLength: 255 } }]
    : [];

function bodySchema(route: Route, dialect: AnyDialect): Json {
  const { properties, required, additionalProperties } = (
    route.body === undefined ? {} : schemaOf(route.body)
  ) as { properties?: Json; required?: string[]; additionalProperties?: unknown };
  const fields = proofOf(route, dialect).fields ?? {};
  return {
    type: 'object',
    properties: { ...fields, ...properties },
    required: [...Object.keys(fields), ...(required ?? [])],
    ...(additionalProperties === false && { additionalProperties }),
  };
}

function schemaOf(schema: z.ZodType): Json {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(described).filter(([name]) => name !== '$schema'));
}

function describeResponses(route: Route, dialect: AnyDialect): Json {
  const responses: Record<string, Json> = successOf(route, dialect);
  for (const [status, codes] of refusalsByStatus(route, dialect)) {
    const told = [...new Set(codes)];
    responses[status] = {
      description: told.join(', '),
      content: { [dialect.refusalType]: { schema: dialect.schemas.refusal(told) } },
    };
  }
  return responses;
}

function successOf(route: Route, dialect: AnyDialect): Record<string, Json> {
  // OpenAPI has no words for a WebSocket; each text that comes over it is of this schema.
  const content = route.socket
    ? { 'application/json': { schema: schemaOf(route.data) } }
    : contentOf(route, dialect);
  if (route.socket)
    return { '101': { description: 'A WebSocket; each text message follows this schema', content } };
  return {
    [route.created ? '201' : '200']: { description: 'Success', content },
    ...(route.accepted && { '202': { description: 'Accepted, but not completed yet', content } }),
  };
}

function contentOf(route: Route, dialect: AnyDialect): Json {
  if (route.stream) return { 'text/event-stream': { schema: schemaOf(route.data) } };
  if (route.text !== undefined) return { [route.text]: { schema: { type: 'string' } } };
  return {
    'application/json': { schema: dialect.schemas.success(schemaOf(route.data)) },
    ...(route.download !== undefined && { [route.download]: { schema: { type: 'string' } } }),
  };
}

/** The statuses of a route and the codes that each may carry, those of the transport's own faults too. */
function refusalsByStatus(route: Route, dialect: AnyDialect): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (status: number, code: string) =>
    found.set(`${status}`, [...(found.get(`${status}`) ?? []), code]);
  const addFault = (fault: Fault) => {
    const code = dialect.faults[fault];
    add(faultStatus[fault] ?? dialect.status(code), code);
  };
  for (const code of route.refusals ?? []) add(dialect.status(code), code);
  for (const code of proofOf(route, dialect).refusals(route)) add(dialect.status(code), code);
  if (route.method !== 'GET') for (const fault of bodyFaults) addFault(fault);
  if (hasBody(route, dialect) || route.query !== undefined)
    for (const fault of ['unreadable', 'invalid'] as const) addFault(fault);
  // Any query but that of who signs what others sent it to: a parameter that is not there is refused.
  if (route.path.includes(':') || route.socket || route.auth !== 'signature') addFault('invalid');
  addFault('rate-limited');
  add(431, dialect.faults.unreadable);
  addFault('unforeseen');
  return found;
}

const bodyFaults = ['unreadable', 'too-large', 'media-type'] as const;
