import { z } from 'zod';
import { name } from './fields.ts';

/** A request as policies see it. */
export const request = {
  user_id: name,
  service: name,
  action: name,
  params: z.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  ),
};
