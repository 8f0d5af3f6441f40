import { type DashboardCode, dashboardCodes } from '@countersign/protocol/dashboard/codes';
import type { Route, RouteTable } from '@countersign/protocol/route';
import { z } from 'zod';
import { version } from './version.ts';

type Json = { readonly [key: string]: unknown };

/** OpenAPI 3.1 of a route table: what the server accepts and answers, because both are made from the same object. */
export function describeApi(title: string, table: RouteTable): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of Object.entries(table)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'platform_session' },
      },
    },
  };
}

function describeRoute(name: string, route: Route): Json {
  return {
    operationId: name,
    // `/api/mandates/…` belongs to mandates.
    tags: route.path.split('/').slice(2, 3),
    summary: route.summary,
    // An API key stands in the JSON body, which OpenAPI has no security scheme for: see the field `apiKey`.
    security: route.auth === 'session' ? [{ bearer: [] }, { cookie: [] }] : [],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(hasBody(route) && {
      requestBody: { required: true, content: { 'application/json': { schema: bodySchema(route) } } },
    }),
    responses: describeResponses(route),
  };
}

const hasBody = (route: Route): boolean =>
  route.body !== undefined || route.auth === 'api-key' || route.auth === 'signature';

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

function bodySchema(route: Route): Json {
  const { properties, required } = (route.body === undefined ? {} : schemaOf(route.body)) as {
    properties?: Json;
    required?: string[];
  };
  if (route.auth !== 'api-key')
    return { type: 'object', properties: properties ?? {}, required: required ?? [] };
  return {
    type: 'object',
    properties: { apiKey: { type: 'string' }, ...properties },
    required: ['apiKey', ...(required ?? [])],
  };
}

function schemaOf(schema: z.ZodType): Json {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(described).filter(([name]) => name !== '$schema'));
}

function describeResponses(route: Route): Json {
  const responses: Record<string, Json> = {
    [route.created ? '201' : '200']: { description: 'Success', content: contentOf(route) },
  };
  for (const [status, names] of refusalsByStatus(route)) {
    const codes = [...new Set(names.map((name) => dashboardCodes[name].code))];
    responses[status] = {
      description: [...new Set(names)].join(', '),
      content: { 'application/json': { schema: envelopeOf(codes, {}) } },
    };
  }
  return responses;
}

function contentOf(route: Route): Json {
  if (route.stream) return { 'text/event-stream': { schema: schemaOf(route.data) } };
  return {
    'application/json': { schema: envelopeOf([dashboardCodes.SUCCESS.code], schemaOf(route.data)) },
    ...(route.download !== undefined && { [route.download]: { schema: { type: 'string' } } }),
  };
}

const envelopeOf = (codes: readonly number[], data: Json): Json => ({
  type: 'object',
  properties: { code: { enum: codes }, msg: { type: 'string' }, data },
  required: ['code', 'msg', 'data'],
});

/** The statuses of a route and the codes that each may carry. The transport's own refusals reuse PARAM_ERROR. */
function refusalsByStatus(route: Route): ReadonlyMap<string, readonly DashboardCode[]> {
  const found = new Map<string, DashboardCode[]>();
  const add = (status: number, name: DashboardCode) =>
    found.set(`${status}`, [...(found.get(`${status}`) ?? []), name]);
  for (const name of route.refusals ?? [])
    add(dashboardCodes[name as DashboardCode].http, name as DashboardCode);
  for (const name of refusalsOfAuth[route.auth]) add(dashboardCodes[name].http, name);
  if (route.auth === 'session' && route.method !== 'GET') add(403, 'UNAUTHORIZED_OPERATION');
  if (route.method !== 'GET') for (const status of [400, 413, 415]) add(status, 'PARAM_ERROR');
  if (hasBody(route) || route.query !== undefined)
    for (const name of ['PARAM_ERROR', 'INVALID_PARAM'] as const) add(400, name);
  if (route.path.includes(':')) add(400, 'INVALID_PARAM');
  add(429, 'RATE_LIMITED');
  add(431, 'PARAM_ERROR');
  add(500, 'SYSTEM_ERROR');
  return found;
}

const refusalsOfAuth = {
  none: [],
  'api-key': ['API_KEY_INVALID'],
  session: ['ACCESS_TOKEN_REQUIRED', 'AUTHENTICATION_FAILED'],
  signature: ['AUTHENTICATION_FAILED'],
} as const satisfies Record<Route['auth'], readonly DashboardCode[]>;
