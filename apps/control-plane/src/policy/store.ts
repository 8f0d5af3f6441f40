import type { Hitl, PolicyContent } from '@countersign/protocol/control/policy';
import type { PolicyVersion } from '@countersign/protocol/control/policy-routes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

type Row = {
  readonly tenantId: string;
  readonly policyId: string;
  readonly version: number;
  readonly name: string;
  readonly mode: PolicyContent['mode'];
  readonly cedar: string;
  readonly schema: string | null;
  readonly hitl: Hitl | null;
  readonly digest: string;
  readonly signature: string;
  readonly createdBy: string;
  readonly createdAt: Date;
};

/** A version as it was signed. */
export type StoredPolicy = Row;

const fields = [
  'tenantId',
  'policyId',
  'version',
  'name',
  'mode',
  'cedar',
  'schema',
  'hitl',
  'digest',
  'signature',
  'createdBy',
  'createdAt',
] as const;
const table = sqlTable('control_plane.policy', 'p', fields);
const columns = table.list(...fields);

const takeTurn = statement(
  'policy.take-turn',
  `select pg_advisory_xact_lock(hashtextextended($1 || e'\\n' || $2, 4023))`,
);

/** Locks a policy until the transaction ends: its versions are created one at a time. */
export async function holdPolicy(db: Queryable, tenantId: string, policyId: string): Promise<void> {
  await rows(db, takeTurn, [tenantId, policyId]);
}

const insert = statement('policy.insert', `${table.insertInto(...fields)} values (${placeholders(fields)})`);

export async function insertPolicy(db: Queryable, policy: StoredPolicy): Promise<void> {
  const row = { ...policy, hitl: policy.hitl === null ? null : JSON.stringify(policy.hitl) };
  await rows(
    db,
    insert,
    fields.map((field) => row[field]),
  );
}

const find = statement<Row>(
  'policy.find',
  `select ${columns} from ${table.from}
   where p.tenant_id = $1 and p.policy_id = $2 and ($3::integer is null or p.version = $3)
   order by p.version desc limit 1`,
);

/** The newest version, or the one that is asked for. */
export const findPolicy = (
  db: Queryable,
  tenantId: string,
  policyId: string,
  version: number | null,
): Promise<StoredPolicy | null> => firstRow(db, find, [tenantId, policyId, version]);

const newestActive = `select max(a.version) from control_plane.policy a
  where a.tenant_id = $1 and a.policy_id = $2 and a.mode = 'active'`;

const deciding = statement<Row>(
  'policy.deciding',
  `select ${columns} from ${table.from}
   where p.tenant_id = $1 and p.policy_id = $2 and (p.version = (${newestActive}) or p.version in (
     select b.version from control_plane.policy b where b.tenant_id = $1 and b.policy_id = $2
       and b.version > coalesce((${newestActive}), 0) order by b.version desc limit 16))
   order by p.version`,
);

/** The version that decides, which is the newest active one, and the newest 16 `log_only` ones beyond it; null when there is no such policy. */
export async function findDeciding(
  db: Queryable,
  tenantId: string,
  policyId: string,
): Promise<{ readonly active: StoredPolicy | null; readonly beside: readonly StoredPolicy[] } | null> {
  const found = await rows(db, deciding, [tenantId, policyId]);
  const [active, ...newer] = found;
  if (active === undefined) return null;
  return active.mode === 'active' ? { active, beside: newer } : { active: null, beside: found };
}

type Page = { readonly limit: number; readonly offset: number };
type Listed = { readonly items: readonly StoredPolicy[]; readonly total: number };

const versions = statement<Row>(
  'policy.versions',
  `select ${columns} from ${table.from} where p.tenant_id = $1 and p.policy_id = $2
   order by p.version desc limit $3 offset $4`,
);
const countVersions = statement<{ total: number }>(
  'policy.count-versions',
  'select count(*) as total from control_plane.policy where tenant_id = $1 and policy_id = $2',
);

/** Every version of a policy, newest first. */
export async function listVersions(
  db: Queryable,
  tenantId: string,
  policyId: string,
  { limit, offset }: Page,
): Promise<Listed> {
  const [items, counted] = await Promise.all([
    rows(db, versions, [tenantId, policyId, limit, offset]),
    firstRow(db, countVersions, [tenantId, policyId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const newest = statement<Row>(
  'policy.newest',
  `select ${columns} from (select distinct on (policy_id) * from control_plane.policy where tenant_id = $1
     order by policy_id, version desc) p
   order by p.name, p.policy_id limit $2 offset $3`,
);
const countPolicies = statement<{ total: number }>(
  'policy.count',
  'select count(distinct policy_id) as total from control_plane.policy where tenant_id = $1',
);

/** The newest version of each policy, by name. */
export async function listNewest(db: Queryable, tenantId: string, { limit, offset }: Page): Promise<Listed> {
  const [items, counted] = await Promise.all([
    rows(db, newest, [tenantId, limit, offset]),
    firstRow(db, countPolicies, [tenantId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

/** Returns the signed content. */
export const contentOf = ({
  tenantId,
  policyId,
  version,
  ...said
}: Omit<StoredPolicy, 'digest' | 'signature'>): PolicyContent => ({
  tenant: tenantId,
  policy_id: policyId,
  policy_version: version,
  name: said.name,
  mode: said.mode,
  cedar: said.cedar,
  schema: said.schema,
  hitl: said.hitl,
});

export const showPolicy = (policy: StoredPolicy): PolicyVersion => ({
  policy_id: policy.policyId,
  policy_version: policy.version,
  mode: policy.mode,
  digest: policy.digest,
  signature: policy.signature,
  created_at: policy.createdAt.toISOString(),
  name: policy.name,
  cedar: policy.cedar,
  schema: policy.schema,
  hitl: policy.hitl,
  created_by: policy.createdBy,
});
