import { type ControlScope, needsCertificate, rolesScopes } from '@countersign/protocol/control/dialect';
import { ok, type Result } from '@countersign/protocol/result';
import type { Identifying } from '@countersign/service/http';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { Caller } from '../callers.ts';
import type { Enclave } from '../enclave.ts';
import { type Refusal, refusal } from '../refusal.ts';
import { hashOf } from './api-key.ts';
import { recordCreation } from './record-creation.ts';
import { findKey } from './store.ts';

export type IdentifyParts = { readonly pool: Pool; readonly enclave: Enclave; readonly now: () => Date };

/**
 * Who calls, if the key is known, its role covers the route's scope, and for a write the connection showed a certificate. A key
 * is heard once the audit log has its creation.
 */
export const identifier =
  ({ pool, enclave, now }: IdentifyParts) =>
  async ({ headers, route, certified }: Identifying): Promise<Result<Caller, Refusal>> => {
    const text = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (text === undefined)
      return refusal('unauthorized', 'a key is required: Authorization: Bearer <api_key>');
    const known = await findKey(pool, hashOf(text), now());
    if (known === null) return refusal('unauthorized', 'the key is unknown or revoked');
    const { isRecorded, ...caller } = known;
    if (!isRecorded) await inTransaction(pool, (db) => recordCreation(db, enclave, caller.keyId, now()));
    const scope = route.scope as ControlScope;
    const held: readonly ControlScope[] = caller.role === 'reader' ? ['read'] : rolesScopes[caller.role];
    if (!held.includes(scope))
      return refusal(
        'insufficient_role',
        `a ${caller.person === undefined ? 'key' : 'person'} of role ${caller.role} may not do this`,
      );
    if (needsCertificate(scope) && !certified)
      return refusal(
        'client_certificate_required',
        'writes need a client certificate of CONTROL_TLS_CLIENT_CA in addition to the key',
      );
    return ok(caller);
  };
