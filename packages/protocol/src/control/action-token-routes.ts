import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { actionClaims } from './execution.ts';

/** Why a token is not to be believed: each says nothing of an execution. */
const tokenProblem = z.enum([
  /** No action token by its form. */
  'malformed',
  /** No enclave of this control plane made it for a request. */
  'unknown',
  /** It was asked about before, or the request that carried it is over. */
  'spent',
  'expired',
]);

/** Services check the action token that a request carries (`countersign-action-token`): docs/action-tokens.md. */
export const actionTokenRoutes = {
  verifyActionToken: {
    method: 'POST',
    path: '/v1/action-tokens/verify',
    auth: 'none',
    summary:
      'Introspect an action token, as the service that received it; valid once, while the request that carries it is in flight',
    body: z.strictObject({ token: z.string().max(8192) }),
    data: z.object({ valid: z.boolean(), reason: tokenProblem.optional(), claims: actionClaims.optional() }),
  },
  actionKey: {
    method: 'GET',
    path: '/v1/action-tokens/key',
    auth: 'none',
    summary: 'Get the key that signs statements about actions, endorsed by the audit key, to be pinned',
    data: z.object({
      /** Ed25519, as PASERK writes it: `k4.public.` and 32 bytes in base64url. */
      public_key: z.string(),
      /** Base64 of Ed25519 by the audit key over SHA-256 of "countersign-action-key-v1" ‖ `public_key`. */
      signature: z.base64(),
      /** The audit key, 32 bytes in base64, as in the attestation report. */
      audit_public_key: z.base64(),
    }),
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
