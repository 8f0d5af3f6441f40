import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { execution } from './execution-routes.ts';

/** People approve, reject and cancel executions (spec: control-plane.hitl). */
export const decisionRoutes = {
  decideExecution: {
    method: 'POST',
    path: '/v1/executions/:execution_id/decision',
    auth: 'key',
    scope: 'decide',
    summary: 'Approve or deny an execution that is waiting for approval',
    body: z.strictObject({
      decision: z.enum(['approve', 'deny']),
      comment: z.string().max(2000).optional(),
      /** 65 bytes in hex: a wallet's signature over the typed data of the decision (EIP-712). */
      hitl_proof: z
        .string()
        .regex(/^0x[0-9a-fA-F]{130}$/, 'must be a signature of 65 bytes in hex')
        .optional(),
    }),
    data: execution,
    refusals: ['not_found', 'conflict', 'self_approval', 'not_an_approver'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
