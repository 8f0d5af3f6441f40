import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { page } from '../vault/fields.ts';
import type { ControlCode } from './codes.ts';
import { connectorType } from './connector.ts';
import type { ControlAuth } from './dialect.ts';
import { anObject, name, time } from './fields.ts';
import { rotationOperation } from './rotation.ts';

const about = {
  /** The service that executions name; a tenant has one connector for each. A new name must be legible. */
  service: name,
  type: connectorType,
  credential_id: z.uuid().nullish(),
  /** True if an attempt that was cut off may be repeated. */
  safe_to_retry: z.boolean().default(false),
};

const connector = z.object({
  connector_id: z.uuid(),
  service: name,
  type: connectorType,
  credential_id: z.uuid().nullable(),
  safe_to_retry: z.boolean(),
  /** The operation that rotates its credential; null if none does. */
  rotation: rotationOperation.nullable(),
  /** The values that an execution's `action` may have. */
  actions: z.array(name),
  created_at: time,
});
export type Connector = z.output<typeof connector>;

/** A connector leads to a service (spec: control-plane.connector). */
export const connectorRoutes = {
  createConnector: {
    method: 'POST',
    path: '/v1/connectors',
    auth: 'key',
    scope: 'write',
    summary:
      'Create a connector, which defines how a service is reached; it replaces the service’s earlier one',
    /** `definition` is read by the schema of its type. */
    body: z.strictObject({ ...about, rotation: rotationOperation.nullish(), definition: anObject }),
    data: connector,
    created: true,
    refusals: ['not_found'],
  },
  listConnectors: {
    method: 'GET',
    path: '/v1/connectors',
    auth: 'key',
    scope: 'read',
    summary: 'List connectors by service',
    query: z.object(page),
    data: z.object({ items: z.array(connector), total: z.int() }),
  },
  getConnector: {
    method: 'GET',
    path: '/v1/connectors/:id',
    auth: 'key',
    scope: 'read',
    summary: 'Get a connector with its definition',
    data: connector.extend({ definition: anObject }),
    refusals: ['not_found'],
  },
  deleteConnector: {
    method: 'DELETE',
    path: '/v1/connectors/:id',
    auth: 'key',
    scope: 'write',
    summary: 'Delete a connector; executions for its service are refused from then on',
    data: z.object({ connector_id: z.uuid(), deleted: z.literal(true) }),
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
