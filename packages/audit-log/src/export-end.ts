import { z } from 'zod';
import { anchor, hex32 } from './anchored.ts';
import { tenantHead } from './tenant-head.ts';

/**
 * The last line of an export. `inclusion` is the path of the tenant's newest record to the checkpoint's root; that record commits to
 * all before it, so whoever has the root has them all. Exports made before these two were given have neither.
 */
export const exportEnd = z
  .strictObject({
    /** A C2SP signed note. */
    checkpoint: z.string(),
    tenantHead,
    attestation: z.custom<unknown>((report) => report !== undefined),
    /** Empty where the tenant has no records, or the log only one. */
    inclusion: z.array(hex32).optional(),
    /** Null as long as no root of the log is on chain. */
    anchor: anchor.nullable().optional(),
  })
  .refine(({ inclusion, anchor: place }) => (inclusion === undefined) === (place === undefined));
export type ExportEnd = z.infer<typeof exportEnd>;
