import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { actionTokenClaims } from './execution.ts';

/** Single-use tokens under which executions run: page 3, Part B, Action tokens. */
export const actionTokenRoutes = {
  verifyActionToken: {
    method: 'POST',
    path: '/v1/action-tokens/verify',
    auth: 'key',
    scope: 'read',
    summary: 'Whether an action token could still be spent; spends nothing',
    body: z.strictObject({ token: z.string().max(8192) }),
    data: z.object({
      valid: z.boolean(),
      reason: z.enum(['malformed', 'expired', 'spent', 'revoked']).optional(),
      claims: actionTokenClaims.optional(),
    }),
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
