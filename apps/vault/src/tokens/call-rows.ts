import { gathering } from '@countersign/service/gather';
import { columnsAs, type Pool, rows, statement } from '@countersign/service/sql';
import { type SealedCredential, credentialTable } from '../credentials/store.ts';
import { columnsAtCall, type SessionAtCall } from '../sandbox/session-store.ts';
import { tokenTable, type TokenRow } from './store.ts';

/** The rows that a call needs first: its token, and the credential in its path. */
export type Wanted = { readonly token: string; readonly credential: string | null };
export type Found = { readonly token: TokenRow | null; readonly credential: SealedCredential | null };

// Each row is one or the other: so both are read in one statement, and none twice for calls that come together.
const find = statement<AnyRow>(
  'call.rows',
  `select ${columnsAs(tokenTable.columns, 'token.')}, ${columnsAs(credentialTable.columns, 'credential.')}
   from (select * from vault.token where id = any($1::uuid[])) t
   full join (select * from vault.credential where id = any($2::uuid[])) c on false`,
);

// The same of a session; one that is only being opened is not there so far.
const findSessions = statement<AnyRow>(
  'call.session-rows',
  `select ${columnsAs(tokenTable.columns, 'token.')}, ${columnsAs(columnsAtCall, 'session.')}
   from (select * from vault.token where id = any($2::uuid[])) t
   full join (select * from vault.session where id = any($3::uuid[]) and status <> 'opening') s on false`,
);

/** Maximum number of calls that share a statement. */
const maxTogether = 256;

/** Finds the rows of calls, of whichever tenant; those of one time together. */
export const callRows = (pool: Pool): ((wanted: Wanted) => Promise<Found>) =>
  gathering(async (calls: readonly Wanted[]) => {
    const tokenIds = new Set(calls.map(({ token }) => token));
    const credentialIds = new Set(calls.flatMap(({ credential }) => credential ?? []));
    const found = await rows(pool, find, [[...tokenIds], [...credentialIds]]);
    const tokens = byId<TokenRow>(found, tokenFields);
    const credentials = byId<SealedCredential>(found, credentialFields);
    return calls.map(({ token, credential }) => ({
      token: tokens.get(token) ?? null,
      credential: credential === null ? null : (credentials.get(credential) ?? null),
    }));
  }, maxTogether);

/** Tokens with the sessions that paths name, of whichever tenant, as they are at that time. */
export const sessionCallRows = (pool: Pool, now: () => Date) =>
  gathering(async (calls: readonly { readonly token: string; readonly session: string }[]) => {
    const ids = [new Set(calls.map(({ token }) => token)), new Set(calls.map(({ session }) => session))];
    const found = await rows(pool, findSessions, [now(), ...ids.map((some) => [...some])]);
    const tokens = byId<TokenRow>(found, tokenFields);
    const sessions = byId<SessionAtCall>(found, sessionFields);
    return calls.map(({ token, session }) => ({
      token: tokens.get(token) ?? null,
      session: sessions.get(session) ?? null,
    }));
  }, maxTogether);

/** Names of a row's fields, and of the columns that they come from; the first is its id. */
type Fields = readonly (readonly [name: string, column: string])[];
const fieldsOf = (columns: object, prefix: string): Fields =>
  Object.keys(columns).map((name) => [name, prefix + name]);
const tokenFields = fieldsOf(tokenTable.columns, 'token.');
const credentialFields = fieldsOf(credentialTable.columns, 'credential.');
const sessionFields = fieldsOf(columnsAtCall, 'session.');

type AnyRow = Readonly<Record<string, unknown>>;

function byId<Row extends { readonly id: string }>(found: readonly AnyRow[], fields: Fields) {
  const rows = new Map<string, Row>();
  const [[, id] = ['', '']] = fields;
  for (const row of found) {
    if (row[id] === null) continue;
    const picked: Record<string, unknown> = {};
    for (const [name, column] of fields) picked[name] = row[column];
    const whole = picked as unknown as Row;
    rows.set(whole.id, whole);
  }
  return rows;
}
