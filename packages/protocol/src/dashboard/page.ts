import { z } from 'zod';

/** Paging parameters. Values out of range are refused, never clamped. */
export const page = { page: z.int().min(1).optional(), limit: z.int().min(1).max(100).optional() };

/** One page of a list, and the exact total. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), total: z.int(), page: z.int(), limit: z.int() });
