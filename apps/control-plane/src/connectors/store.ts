import type { RotationOperation } from '@countersign/protocol/control/rotation';
import type { Connector } from '@countersign/protocol/control/connector-routes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { actionsOf } from './actions.ts';

/** How a service is reached. Immutable: defining the service again creates a new connector. */
export type StoredConnector = {
  readonly id: string;
  readonly tenantId: string;
  readonly service: string;
  readonly type: Connector['type'];
  readonly credentialId: string | null;
  readonly safeToRetry: boolean;
  /** The definition as the schema of its type parsed it. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly rotation: RotationOperation | null;
  readonly createdBy: string;
  readonly createdAt: Date;
};

const fields = [
  'id',
  'tenantId',
  'service',
  'type',
  'credentialId',
  'safeToRetry',
  'definition',
  'rotation',
  'createdBy',
  'createdAt',
] as const;
const table = sqlTable('control_plane.connector', 'c', fields);
const columns = table.list(...fields);

const put = statement(
  'connector.put',
  `${table.insertInto(...fields)} values (${placeholders(fields)})
   on conflict (tenant_id, service) do update set id = excluded.id, type = excluded.type,
     credential_id = excluded.credential_id, safe_to_retry = excluded.safe_to_retry, definition = excluded.definition,
     rotation = excluded.rotation, created_by = excluded.created_by, created_at = excluded.created_at`,
);

/** Takes the place of the connector that the service had. */
export async function putConnector(db: Queryable, connector: StoredConnector): Promise<void> {
  const { definition, rotation } = connector;
  const row = {
    ...connector,
    definition: JSON.stringify(definition),
    rotation: rotation === null ? null : JSON.stringify(rotation),
  };
  await rows(
    db,
    put,
    fields.map((field) => row[field]),
  );
}

const find = statement<StoredConnector>(
  'connector.find',
  `select ${columns} from ${table.from} where c.tenant_id = $1 and c.id = $2`,
);

export const findConnector = (db: Queryable, tenantId: string, id: string): Promise<StoredConnector | null> =>
  firstRow(db, find, [tenantId, id]);

const findByService = statement<StoredConnector>(
  'connector.find-by-service',
  `select ${columns} from ${table.from} where c.tenant_id = $1 and c.service = $2`,
);

export const findConnectorOf = (
  db: Queryable,
  tenantId: string,
  service: string,
): Promise<StoredConnector | null> => firstRow(db, findByService, [tenantId, service]);

const services = statement<{ service: string }>(
  'connector.services',
  'select service from control_plane.connector where tenant_id = $1',
);

/** All services that a tenant has a connector of. */
export const connectedServices = async (db: Queryable, tenantId: string): Promise<readonly string[]> =>
  (await rows(db, services, [tenantId])).map(({ service }) => service);

const using = statement<{ service: string }>(
  'connector.using',
  `select service from control_plane.connector where tenant_id = $1 and credential_id = $2 order by service limit 20`,
);

/** The services whose connectors need a credential. */
export const servicesUsing = async (
  db: Queryable,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<readonly string[]> => (await rows(db, using, [tenantId, id])).map(({ service }) => service);

const rotating = statement<StoredConnector>(
  'connector.rotating',
  `select ${columns} from ${table.from}
   where c.tenant_id = $1 and c.credential_id = $2 and c.rotation is not null order by c.service
   for share`,
);

/**
 * Locks and returns the connectors that name a rotation operation of a credential, until the transaction
 * ends.
 */
export const rotatingConnectors = (
  db: Queryable,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<readonly StoredConnector[]> => rows(db, rotating, [tenantId, id]);

const list = statement<StoredConnector>(
  'connector.list',
  `select ${columns} from ${table.from} where c.tenant_id = $1 order by c.service limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'connector.count',
  'select count(*) as total from control_plane.connector where tenant_id = $1',
);

/** Returns a page of connectors, ordered by service. */
export async function listConnectors(
  db: Queryable,
  tenantId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly StoredConnector[]; readonly total: number }> {
  const [items, counted] = await Promise.all([
    rows(db, list, [tenantId, limit, offset]),
    firstRow(db, count, [tenantId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const remove = statement<StoredConnector>(
  'connector.delete',
  `delete from ${table.from} where c.tenant_id = $1 and c.id = $2 returning ${columns}`,
);

/** The connector that was; null when there is none of this id. */
export const deleteConnector = (
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<StoredConnector | null> => firstRow(db, remove, [tenantId, id]);

export const showConnector = ({ id, type, definition, ...connector }: StoredConnector): Connector => ({
  connector_id: id,
  service: connector.service,
  type,
  credential_id: connector.credentialId,
  safe_to_retry: connector.safeToRetry,
  rotation: connector.rotation,
  actions: [...actionsOf(type, definition)],
  created_at: connector.createdAt.toISOString(),
});
