import { type ControlScope, rolesScopes } from '@countersign/protocol/control/dialect';
import { ok, type Result } from '@countersign/protocol/result';
import type { Identifying } from '@countersign/service/http';
import type { Queryable } from '@countersign/service/sql';
import type { Caller } from '../callers.ts';
import { type Refusal, refusal } from '../refusal.ts';
import { hashOf } from './api-key.ts';
import { findKey } from './store.ts';

/** Who calls, if the key is known, its role covers the route's scope, and for a write the connection showed a certificate. */
export const identifier =
  (db: Queryable) =>
  async ({ headers, route, certified }: Identifying): Promise<Result<Caller, Refusal>> => {
    const text = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (text === undefined)
      return refusal('unauthorized', 'a key is required: Authorization: Bearer <api_key>');
    const caller = await findKey(db, hashOf(text));
    if (caller === null) return refusal('unauthorized', 'the key is unknown or was revoked');
    const scope = route.scope as ControlScope;
    const held: readonly ControlScope[] = rolesScopes[caller.role];
    if (!held.includes(scope))
      return refusal('insufficient_role', `a key of role ${caller.role} may not do this`);
    if (scope === 'write' && !certified)
      return refusal(
        'client_certificate_required',
        'writes of admins need a client certificate of CONTROL_TLS_CLIENT_CA besides the key',
      );
    return ok(caller);
  };
