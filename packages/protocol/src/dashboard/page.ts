import { z } from 'zod';

/** How a list is asked for. Nothing is clamped: what is out of range is refused. */
export const page = { page: z.int().min(1).optional(), limit: z.int().min(1).max(100).optional() };

/** One page of a list, and exactly how many there are in all. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), total: z.int(), page: z.int(), limit: z.int() });
