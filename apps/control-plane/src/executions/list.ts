import type { executionRoutes } from '@countersign/protocol/control/execution-routes';
import type { QueryOf } from '@countersign/protocol/route';
import { firstRow, type Queryable, rows, type Statement, statement } from '@countersign/service/sql';
import { columns, type StoredExecution } from './store.ts';

type Asked = QueryOf<typeof executionRoutes.listExecutions>;
export type ExecutionFilter = Omit<Asked, 'limit' | 'offset'>;
type Name = keyof ExecutionFilter;

/** The rows that have a record of the type: what the log says in one place the row says in another. */
const recorded: Readonly<Record<NonNullable<Asked['event_type']>, string>> = {
  execution_requested: 'true',
  human_approval_requested: 'e.quorum is not null',
  human_approval_received: 'exists (select from control_plane.decision d where d.execution_id = e.id)',
  execution_started: "e.token_spent_at is not null and e.problem->>'code' is distinct from 'token_refused'",
  execution_ended: "e.ended_at is not null and e.problem->>'code' is distinct from 'token_refused'",
  policy_rejected: "e.problem->>'code' = 'token_refused'",
};
const cases = Object.entries(recorded).map(([type, holds]) => `when '${type}' then ${holds}`);

const conditions: Readonly<Record<Name, (value: string) => string>> = {
  status: (value) => `e.status = ${value}`,
  execution_id: (value) => `e.id = ${value}::uuid`,
  policy_id: (value) => `e.policy_id = ${value}`,
  user_id: (value) => `e.user_id = ${value}`,
  service: (value) => `e.service = ${value}`,
  event_type: (value) => `case ${value}::text ${cases.join(' ')} end`,
};

type Statements = {
  readonly list: Statement<StoredExecution>;
  readonly count: Statement<{ readonly total: number }>;
};
const prepared = new Map<number, Statements>();

/** Builds one statement for each set of filters, so that each is planned for its own index. */
function statementsFor(names: readonly Name[]): Statements {
  // The wire has room for 63 characters.
  const key = names.reduce((sum, name) => sum + 2 ** known.indexOf(name), 0);
  const made = prepared.get(key) ?? prepare(names, key);
  prepared.set(key, made);
  return made;
}

function prepare(names: readonly Name[], key: number): Statements {
  const where = ['e.tenant_id = $1', ...names.map((name, place) => conditions[name](`$${place + 2}`))].join(
    ' and ',
  );
  const [limit, offset] = [`$${names.length + 2}`, `$${names.length + 3}`];
  return {
    list: statement<StoredExecution>(
      `execution.list ${key}`,
      `select ${columns} from control_plane.execution e where ${where} order by e.seq desc limit ${limit} offset ${offset}`,
    ),
    count: statement<{ readonly total: number }>(
      `execution.count ${key}`,
      `select count(*) as total from control_plane.execution e where ${where}`,
    ),
  };
}

const known = Object.keys(conditions) as Name[];

/** Newest first, narrowed by what is given. */
export async function listExecutions(
  db: Queryable,
  tenantId: string,
  { limit, offset, ...filter }: Asked,
): Promise<{ readonly items: readonly StoredExecution[]; readonly total: number }> {
  const names = known.filter((name) => filter[name] !== undefined);
  const { list, count } = statementsFor(names);
  const values = [tenantId, ...names.map((name) => filter[name])];
  const [items, counted] = await Promise.all([
    rows(db, list, [...values, limit, offset]),
    firstRow(db, count, values),
  ]);
  return { items, total: counted?.total ?? 0 };
}
