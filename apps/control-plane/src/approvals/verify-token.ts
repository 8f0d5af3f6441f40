import type { DataOf } from '@countersign/protocol/route';
import { toldOf } from '@countersign/protocol/control/execution';
import type { actionTokenRoutes } from '@countersign/protocol/control/action-token-routes';
import { ok } from '@countersign/protocol/result';
import { firstRow, type Pool, type Queryable, statement } from '@countersign/service/sql';
import type { ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { tokenHash } from '../executions/leases.ts';
import { executionTable } from '../executions/store.ts';

type VerifyParts = { readonly pool: Pool; readonly enclave: Enclave; readonly now: () => Date };
type Said = DataOf<typeof actionTokenRoutes.verifyActionToken>;

/**
 * The token is the secret: whoever asks first hears what it is for, if the request that carries it is under way just then.
 * Asking uses it up before anything is answered, so that of many who ask, at whichever nodes, one at most hears `valid`.
 */
export const verifyActionToken =
  ({ pool, enclave, now }: VerifyParts): ControlHandlers['verifyActionToken'] =>
  async ({ body: { token } }) => {
    if (!/^v4\.local\.[\w-]+$/.test(token)) return ok(refused('malformed'));
    const taken = await takeToken(pool, token, now());
    if (taken === null) return ok(refused('unknown'));
    if (!taken.isFirst) return ok(refused('spent'));
    const read = await ask(enclave, 'control.readToken', { tenantId: taken.tenantId, token });
    if (read.claims === null || !read.underWay) return ok(refused('spent'));
    if (read.expired) return ok(refused('expired'));
    return ok({ valid: true, claims: toldOf(read.claims) });
  };

const refused = (reason: NonNullable<Said['reason']>): Said => ({ valid: false, reason });

const take = statement<{ tenantId: string; isFirst: boolean }>(
  'token.take',
  `with first as (update control_plane.spent_token set asked_at = $2 where token_hash = $1 and asked_at is null returning jti)
   select ${executionTable.list('tenantId')}, exists (select from first) as "isFirst"
   from control_plane.spent_token s join ${executionTable.from} on e.id = s.execution_id where s.token_hash = $1`,
);

/** Whose token it is, and whether nobody asked about it before: true once. Null: no execution ever ran under it. */
const takeToken = (
  db: Queryable,
  token: string,
  now: Date,
): Promise<{ readonly tenantId: string; readonly isFirst: boolean } | null> =>
  firstRow(db, take, [tokenHash(token), now]);

/** The key of statements about actions, as the enclave tells it. */
export const actionKey =
  ({ enclave }: Pick<VerifyParts, 'enclave'>): ControlHandlers['actionKey'] =>
  async () => {
    const { publicKey, signature, auditPublicKey } = await ask(enclave, 'control.actionKey', {});
    return ok({ public_key: publicKey, signature, audit_public_key: auditPublicKey });
  };
