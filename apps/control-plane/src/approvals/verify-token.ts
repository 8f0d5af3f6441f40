import { ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import type { ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { findTokenState } from './store.ts';

type VerifyParts = { readonly pool: Pool; readonly enclave: Enclave };

/** Whether an action token could still be spent. What another enclave or tenant made is malformed here, and spending is not ours. */
export const verifyActionToken =
  ({ pool, enclave }: VerifyParts): ControlHandlers['verifyActionToken'] =>
  async ({ body: { token }, caller: { tenantId } }) => {
    const { claims, expired } = await ask(enclave, 'control.readToken', { tenantId, token });
    if (claims === null) return ok({ valid: false, reason: 'malformed' as const });
    if (expired) return ok({ valid: false, reason: 'expired' as const, claims });
    const state = await findTokenState(pool, tenantId, claims);
    if (state?.spent === true) return ok({ valid: false, reason: 'spent' as const, claims });
    return state?.waits === true
      ? ok({ valid: true, claims })
      : ok({ valid: false, reason: 'revoked' as const, claims });
  };
