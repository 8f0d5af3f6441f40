import { z } from 'zod';
import { operationTypes } from '../vault/operation.ts';
import { name } from './fields.ts';

export const connectorType = z.enum(['http', 'mcp-tool', 'browser', 'postgres']);
export type ConnectorType = z.infer<typeof connectorType>;

const httpUrl = z.url({ protocol: /^https?$/ }).max(2048);

/**
 * OpenAPI 3.1, of which the paths, their parameters, JSON bodies and the security schemes are read. Two extensions say how
 * answers are meant: `x-countersign-idempotent: true` of an operation, that it does the same however often it is asked for;
 * `x-countersign-not-done: true` of a response with a status from 400, that it says that nothing was done. A response 429 or 503
 * that documents a `Retry-After` header says so, too, when it has one.
 */
export const httpDefinition = z.looseObject({
  openapi: z.string().regex(/^3\.1\.\d+$/, 'must be OpenAPI 3.1'),
  servers: z.array(z.looseObject({ url: httpUrl })).min(1),
  paths: z.record(z.string().startsWith('/'), z.looseObject({})),
});

/** `action` is the name of a tool. */
export const mcpToolDefinition = z.strictObject({
  url: httpUrl,
  /** A sandbox has no stream that stays open: the older pair of addresses (`sse`) cannot be had. */
  transport: z
    .literal('streamable-http', 'must be streamable-http: servers that support only sse cannot be called')
    .default('streamable-http'),
  /** The tools that may be called; without it all of them. */
  tools: z.array(name).min(1).max(256).optional(),
  /** Those that do the same however often they are called: where it is not known whether one did, that is `failed`. */
  idempotent_tools: z.array(name).max(256).optional(),
  /** Where the credential is placed in a request. */
  auth: z
    .strictObject({ header: z.string().regex(/^[\w-]{1,64}$/), prefix: z.string().max(32) })
    .default({ header: 'authorization', prefix: 'Bearer ' }),
});

const step = z.strictObject({
  operation_type: z.enum(operationTypes),
  selector: z.string().max(4096).optional(),
  /** `{{params.<name>}}` stands for a member of params, `{{CREDENTIAL.<field>}}` as in any session. */
  value: z.string().max(65_536).optional(),
});

/** `action` is the name of a list of steps that run in a browser session of their own. */
export const browserDefinition = z.strictObject({
  allowed_urls: z.array(z.string().max(2048)).min(1).max(64),
  start_url: httpUrl,
  actions: z.record(
    name,
    z.strictObject({
      /** The purpose of the steps, against which the review judges each of them. */
      task: z.string().min(1).max(2000),
      steps: z.array(step).min(1).max(64),
      /** The page's content to return at the end; if absent, the result of the last step. */
      export: z
        .strictObject({ selector: z.string().max(4096).optional(), format: z.enum(['json', 'csv', 'text']) })
        .optional(),
    }),
  ),
});

/** `action` is the name of a statement, which runs on the database of the credential (a `postgres://` URL). */
export const postgresDefinition = z.strictObject({
  actions: z.record(
    name,
    z.strictObject({
      /** Has `$1`, `$2`, … for `params`, in this order. */
      sql: z.string().min(1).max(65_536),
      params: z.array(name).max(64).default([]),
      /** Runs in a read-only transaction. */
      read_only: z.boolean().default(false),
      /** Does the same however often it runs: where it is not known whether it did, that is `failed`. */
      idempotent: z.boolean().optional(),
    }),
  ),
});

/** The definition of each type of connector. */
export const definitions = {
  http: httpDefinition,
  'mcp-tool': mcpToolDefinition,
  browser: browserDefinition,
  postgres: postgresDefinition,
} as const satisfies Record<ConnectorType, z.ZodType>;

export type Definition<T extends ConnectorType> = z.output<(typeof definitions)[T]>;
