import type { Business, newBusiness } from '@countersign/protocol/dashboard/business';
import type { PayoutAddress } from '@countersign/protocol/dashboard/payees';
import type { z } from 'zod';
import type { Sealed, Sealer } from '../compliance/seal.ts';

export type Facts = NonNullable<Business['facts']>;

const rowId = (id: string): string => `business_submission.sealed of ${id}`;
type FilePart = 'name' | 'content';
const fileRowId = ({ id, submissionId }: At, part: FilePart): string =>
  `business_file.${part} ${id} of ${submissionId}`;

/** Seals what a business says of itself, for this submission alone; the addresses' signatures are not kept. */
export const sealFacts = (sealer: Sealer, id: string, facts: Facts): Sealed =>
  sealer.seal(JSON.stringify(facts), rowId(id));

/** Returns the submission without the claims. */
export function factsIn(submitted: z.output<typeof newBusiness>, claimed: readonly PayoutAddress[]): Facts {
  const { legalName, domain, links, registryNumbers } = submitted;
  return { legalName, domain, links, registryNumbers, addresses: [...claimed] };
}

type Kept = { readonly keyId: string | null; readonly sealed: Buffer | null };

/** Null where it was erased, was sealed under another key, or moved from another submission. */
export const openFacts = (sealer: Sealer | null, id: string, kept: Kept): Facts | null =>
  open(sealer, kept, rowId(id)) as Facts | null;

type At = { readonly id: string; readonly submissionId: string };

/** Seals a file's name or its contents (base64), each for its own place. */
export const sealPart = (sealer: Sealer, at: At, part: FilePart, text: string): Sealed =>
  sealer.seal(JSON.stringify(text), fileRowId(at, part));

/** Null as `openFacts`. */
export function openPart(sealer: Sealer | null, at: At, part: FilePart, kept: Kept): string | null {
  const text = open(sealer, kept, fileRowId(at, part));
  return typeof text === 'string' ? text : null;
}

function open(sealer: Sealer | null, { keyId, sealed }: Kept, row: string): unknown {
  if (sealer === null || keyId === null || sealed === null) return null;
  try {
    return JSON.parse(sealer.open({ keyId, bytes: sealed }, row));
  } catch {
    return null;
  }
}
