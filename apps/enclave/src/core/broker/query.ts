import type { Definition } from '@countersign/protocol/control/connector';
import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { Client, DatabaseError, Query, type QueryResult } from 'pg';
import type { QueryAnswer, Rows } from '../../channel/connector.ts';
import { maxAnswerBytes } from './exchange.ts';
import type { BrokerOptions } from './options.ts';
import { databaseOf } from './database.ts';
import { problemOf } from './problem.ts';
import { isRolledBack } from './rolled-back.ts';
import type { SentRequests } from './sent.ts';
import { isOfTls, tlsProblem } from './tls-problem.ts';

type Statement = Definition<'postgres'>['actions'][string];

/** Maximum number of bytes that a database may send in total before its connection is cut. */
const maxBytesRead = 4 * maxAnswerBytes;

/** Logs in with the credential and runs one statement. `onSent` is called before the statement leaves, and gives whom its answer is told to. */
export async function runQuery(
  statement: Statement,
  values: readonly (string | null)[],
  { loan, reach, until, now }: BrokerOptions,
  onSent: () => Hear,
): Promise<Result<QueryAnswer, ExecutionProblem>> {
  const credential = await loan.secret();
  // Text from here on: the driver knows no other passwords.
  const database = credential === null ? null : databaseOf(credential.toString());
  if (database === null)
    return fail(
      problemOf(
        'credential_unusable',
        'The credential must be a database_connection, or a URL: postgres://user:password@host/database.',
      ),
    );
  const reached = await reach.tcp(database.host, database.port);
  if (!reached.ok) return reached;
  const socket = reached.value;
  // It is connected already; the driver wants to be told.
  Object.assign(socket, { connect: () => process.nextTick(() => socket.emit('connect')) });
  const guard = setInterval(() => socket.bytesRead > maxBytesRead && socket.destroy(), 50);
  const { user, password, host, name, isTls } = database;
  const client = new Client({
    user,
    password,
    host,
    database: name,
    ssl: isTls ? { secureContext: reach.secureContext() } : false,
    stream: () => socket,
    application_name: 'countersign',
    statement_timeout: Math.max(1, until - now()),
  });
  client.on('error', () => {});
  const tooMuch = () => socket.bytesRead > maxBytesRead;
  try {
    const refused = await login(client, statement);
    if (refused !== null) return fail(refused);
    return ok(masked(await heard(onSent(), statement.sql, rowsOf(client, statement.sql, values)), loan));
  } catch (error) {
    return fail(problemOf(tooMuch() || error instanceof TooMuch ? 'answer_too_large' : 'target_unreachable'));
  } finally {
    clearInterval(guard);
    socket.destroy();
  }
}

class TooMuch extends Error {}

/** Returns a database's answer to a statement, after noting its outcome. */
async function heard(hear: Hear, sql: string, answer: Promise<Rows>): Promise<QueryAnswer> {
  try {
    const found = await answer;
    hear({ status: null, outcome: done });
    return found;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const { code = '', message } = error;
    if (isRolledBack(sql, code)) hear({ status: null, outcome: notDone });
    return { refused: { code, message } };
  }
}

type Hear = ReturnType<SentRequests['add']>;
const done = { status: null, means: 'done' } as const;
const notDone = { status: null, means: 'not_done', code: 'target_error' } as const;

/** Masks the answer as one JSON text: a secret may be split over several values. */
const masked = (answer: QueryAnswer, { masker }: BrokerOptions['loan']): QueryAnswer =>
  masker.json(answer) as QueryAnswer;

/** The PostgreSQL driver's message. */
const saysNoTls = 'The server does not support SSL connections';
const noTls = problemOf(
  'target_unreachable',
  'The database speaks no TLS. A postgres:// URL with sslmode=disable as credential does without.',
);

async function login(client: Client, { read_only }: Statement): Promise<ExecutionProblem | null> {
  try {
    await client.connect();
    if (read_only) await client.query('begin read only');
    return null;
  } catch (error) {
    if (isOfTls(error)) return tlsProblem(error);
    if (error instanceof Error && error.message === saysNoTls) return noTls;
    const code = error instanceof DatabaseError ? error.code : undefined;
    // Of class 28: the user or the password is not the right one.
    return code?.startsWith('28') === true
      ? problemOf('credential_unusable', 'The database refuses the user or the password.')
      : problemOf('target_unreachable');
  }
}

/** Every value as PostgreSQL wrote it. What is more than can be told ends it. */
function rowsOf(client: Client, sql: string, values: readonly (string | null)[]): Promise<Rows> {
  return new Promise((resolve, reject) => {
    const rows: (string | null)[][] = [];
    let bytes = 0;
    const config = { text: sql, values: [...values], rowMode: 'array', queryMode: 'extended', types: asText };
    const query = client.query(new Query<(string | null)[]>(config));
    query.on('row', (row) => {
      bytes += row.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 2);
      if (bytes > maxAnswerBytes) reject(new TooMuch());
      else rows.push(row);
    });
    query.once('error', reject);
    client.once('end', () => reject(new Error('the connection ended')));
    query.once('end', ({ fields, rowCount }: QueryResult) => {
      const known = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
      resolve({ fields: known, rows, count: rowCount ?? rows.length });
    });
  });
}

const asText = { getTypeParser: () => (value: string) => value };
