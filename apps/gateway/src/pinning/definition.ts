import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The members that define a tool for a caller. */
const fields = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
export type Field = (typeof fields)[number];

/** SHA-256 over the RFC 8785 text of a definition, and over each of its fields; those that are absent have none. */
export type Fingerprint = {
  readonly hash: string;
  readonly fields: Readonly<Partial<Record<Field, string>>>;
};

/**
 * Hashes a tool as its service sent it. INVARIANT: not as it is shown; otherwise cleaning could hide a
 * change.
 */
export function fingerprint(tool: Readonly<Record<string, unknown>>): Fingerprint {
  const present = fields.filter((field) => tool[field] !== undefined);
  const definition = Object.fromEntries(present.map((field) => [field, tool[field]]));
  return {
    hash: hashOf(definition),
    fields: Object.fromEntries(present.map((field) => [field, hashOf(tool[field])])),
  };
}

/** The fields in which two definitions differ. */
export const changedFields = (a: Fingerprint, b: Fingerprint): readonly Field[] =>
  fields.filter((field) => a.fields[field] !== b.fields[field]);

/**
 * Returns a key that two definitions share if one is the other under a new name; null for a tool without a
 * description, which matches none.
 */
export const besideName = ({ fields: of }: Fingerprint): string | null =>
  of.description === undefined
    ? null
    : JSON.stringify(fields.filter((field) => field !== 'name').map((field) => of[field] ?? null));

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
