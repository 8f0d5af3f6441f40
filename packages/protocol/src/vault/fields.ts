import { z } from 'zod';
import { auditRecord } from './audit-record.ts';

/** Query of a list: `limit` is 50 if absent and at most 200. */
export const page = {
  limit: z.int().min(1).max(200).default(50),
  offset: z.int().min(0).max(1_000_000_000).default(0),
};

/** The agent on whose behalf something is done. */
export const agentDid = auditRecord.shape.actor.regex(/^did:/);
