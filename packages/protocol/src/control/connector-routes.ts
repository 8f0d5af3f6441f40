import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { page } from '../vault/fields.ts';
import type { ControlCode } from './codes.ts';
import { connectorType } from './connector.ts';
import type { ControlAuth } from './dialect.ts';
import { anObject, name, time } from './fields.ts';

const about = {
  /** What executions name; a tenant has one connector of a service. */
  service: name,
  type: connectorType,
  credential_id: z.uuid().nullish(),
  /** What was cut off midway may be done again. */
  safe_to_retry: z.boolean().default(false),
};

const connector = z.object({
  connector_id: z.uuid(),
  service: name,
  type: connectorType,
  credential_id: z.uuid().nullable(),
  safe_to_retry: z.boolean(),
  /** What `action` of an execution may be. */
  actions: z.array(name),
  created_at: time,
});
export type Connector = z.output<typeof connector>;

/** Connectors lead to services: page 3, Part B, Connectors. */
export const connectorRoutes = {
  createConnector: {
    method: 'POST',
    path: '/v1/connectors',
    auth: 'key',
    scope: 'write',
    summary: 'Say how a service is reached; a new one for a service takes the place of the old',
    /** `definition` is read by the schema of its type. */
    body: z.strictObject({ ...about, definition: anObject }),
    data: connector,
    created: true,
    refusals: ['not_found'],
  },
  listConnectors: {
    method: 'GET',
    path: '/v1/connectors',
    auth: 'key',
    scope: 'read',
    summary: 'Connectors, by service',
    query: z.object(page),
    data: z.object({ items: z.array(connector), total: z.int() }),
  },
  getConnector: {
    method: 'GET',
    path: '/v1/connectors/:id',
    auth: 'key',
    scope: 'read',
    summary: 'One connector with its definition',
    data: connector.extend({ definition: anObject }),
    refusals: ['not_found'],
  },
  deleteConnector: {
    method: 'DELETE',
    path: '/v1/connectors/:id',
    auth: 'key',
    scope: 'write',
    summary: 'Executions for its service are refused from then on',
    data: z.object({ connector_id: z.uuid(), deleted: z.literal(true) }),
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
