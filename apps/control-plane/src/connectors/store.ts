import type { Connector } from '@countersign/protocol/control/connector-routes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { actionsOf } from './actions.ts';

/** How a service is reached. Never changes: whoever names the service anew gets another one. */
export type StoredConnector = {
  readonly id: string;
  readonly tenantId: string;
  readonly service: string;
  readonly type: Connector['type'];
  readonly credentialId: string | null;
  readonly safeToRetry: boolean;
  /** As the schema of its type has read it. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly createdBy: string;
  readonly createdAt: Date;
};

const columns = `c.id, c.tenant_id as "tenantId", c.service, c.type, c.credential_id as "credentialId",
  c.safe_to_retry as "safeToRetry", c.definition, c.created_by as "createdBy", c.created_at as "createdAt"`;

const put = statement(
  'connector.put',
  `insert into control_plane.connector (id, tenant_id, service, type, credential_id, safe_to_retry, definition, created_by,
     created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (tenant_id, service) do update set id = excluded.id, type = excluded.type,
     credential_id = excluded.credential_id, safe_to_retry = excluded.safe_to_retry, definition = excluded.definition,
     created_by = excluded.created_by, created_at = excluded.created_at`,
);

/** Takes the place of the connector that the service had. */
export async function putConnector(db: Queryable, connector: StoredConnector): Promise<void> {
  const { id, tenantId, service, type, credentialId, safeToRetry, definition } = connector;
  const about = [id, tenantId, service, type, credentialId, safeToRetry, JSON.stringify(definition)];
  await rows(db, put, [...about, connector.createdBy, connector.createdAt]);
}

const find = statement<StoredConnector>(
  'connector.find',
  `select ${columns} from control_plane.connector c where c.tenant_id = $1 and c.id = $2`,
);

export const findConnector = (db: Queryable, tenantId: string, id: string): Promise<StoredConnector | null> =>
  firstRow(db, find, [tenantId, id]);

const findByService = statement<StoredConnector>(
  'connector.find-by-service',
  `select ${columns} from control_plane.connector c where c.tenant_id = $1 and c.service = $2`,
);

export const findConnectorOf = (
  db: Queryable,
  tenantId: string,
  service: string,
): Promise<StoredConnector | null> => firstRow(db, findByService, [tenantId, service]);

const list = statement<StoredConnector>(
  'connector.list',
  `select ${columns} from control_plane.connector c where c.tenant_id = $1 order by c.service limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'connector.count',
  'select count(*) as total from control_plane.connector where tenant_id = $1',
);

/** By service. */
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
  `delete from control_plane.connector c where c.tenant_id = $1 and c.id = $2 returning ${columns}`,
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
  actions: [...actionsOf(type, definition)],
  created_at: connector.createdAt.toISOString(),
});
