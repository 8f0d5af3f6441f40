import { z } from 'zod';

/** The envelope of every answer of the dashboard (document 2, Response envelope). */
export const dashboardEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({ code: z.int(), msg: z.string(), data: z.nullable(data) });

export type DashboardEnvelope<T> = { readonly code: number; readonly msg: string; readonly data: T | null };

/** Largest request body the dashboard reads, in bytes. */
export const maxBodyBytes = 256 * 1024;
