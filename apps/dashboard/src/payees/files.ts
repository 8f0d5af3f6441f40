import type { Address } from '@countersign/protocol/address';
import { maxFileBytes, maxFiles, type newFile } from '@countersign/protocol/dashboard/payees';
import { firstRow, type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import type { z } from 'zod';
import { putOnRecord } from '../compliance/history.ts';
import { forget, wordsOn } from '../compliance/first-word.ts';
import type { Sealer } from '../compliance/seal.ts';
import { type About, onRecord } from './decide.ts';
import { fileName, isOfType } from './file-kind.ts';
import { factsOf, type StoredVersion } from './payee.ts';
import { writeVersion } from './store.ts';

type NewFile = z.output<typeof newFile> & { readonly id: string; readonly payeeId: string };

export type Added = { readonly kind: 'done' | 'not-found' | 'settled' | 'full' | 'too-large' | 'other-type' };

const made = ['id', 'payeeId', 'name', 'mediaType', 'size', 'keyId', 'sealed', 'addedBy', 'addedAt'] as const;
const table = sqlTable('dashboard.payee_file', 'f', made);

const insert = statement('payee-file.insert', `${table.insertInto(...made)} values (${placeholders(made)})`);

/** Seals a file, for this record alone, and adds it to its evidence. */
export const addFile = async (
  pool: Pool,
  sealer: Sealer,
  { id, payeeId, name, mediaType, content }: NewFile,
  about: About,
): Promise<Added> => {
  const { by, now } = about;
  const plain = Buffer.from(content, 'base64');
  const size = plain.length;
  if (size > maxFileBytes) return { kind: 'too-large' };
  if (!isOfType(plain, mediaType)) return { kind: 'other-type' };
  const kept = fileName(name, mediaType);
  const { keyId, bytes } = sealer.seal(content, rowId({ id, payeeId }));
  return onRecord<Added>(pool, payeeId, now, async (db, { files, proposal }) => {
    if (files.length >= maxFiles) return { kind: 'full' };
    await rows(db, insert, [id, payeeId, kept, mediaType, size, keyId, bytes, by.walletAddress, now]);
    await putOnRecord(db, now, {
      deed: 'add-payee-file',
      by,
      effective: true,
      wallet: null,
      payeeId,
      detail: { file: id },
    });
    if (proposal !== null) await renew(db, payeeId, proposal, about);
    return { kind: 'done' };
  });
};

/**
 * The evidence is part of what is agreed on: a proposal with another file is another version, about which nobody has spoken
 * but whoever added it, if that one has.
 */
async function renew(db: Queryable, id: string, proposal: StoredVersion, { by, fourEyes }: About) {
  const word = (await wordsOn(db, fourEyes, 'admit-payee', [id])).get(id);
  if (word?.by !== by.walletAddress) await forget(db, 'admit-payee', id);
  const version = { id, version: proposal.version + 1, facts: factsOf(proposal), by: proposal.checked_by };
  await writeVersion(db, version, new Date(proposal.checked_at));
}

type Kept = {
  readonly name: string;
  readonly mediaType: string;
  readonly keyId: string;
  readonly sealed: Buffer;
  readonly addedBy: Address;
};

const find = statement<Kept>(
  'payee-file.find',
  `select ${table.list('name', 'mediaType', 'keyId', 'sealed', 'addedBy')}
   from ${table.from} where f.id = $1 and f.payee_id = $2 and f.erased_at is null`,
);

export const findFile = (
  db: Queryable,
  { id, payeeId }: { id: string; payeeId: string },
): Promise<Kept | null> => firstRow(db, find, [id, payeeId]);

/** Returns the file in base64; null if it was sealed under another key, or moved from another record. */
export function openFile(
  sealer: Sealer | null,
  file: { readonly id: string; readonly payeeId: string },
  { keyId, sealed }: Kept,
): string | null {
  try {
    return sealer?.open({ keyId, bytes: sealed }, rowId(file)) ?? null;
  } catch {
    return null;
  }
}

const rowId = ({ id, payeeId }: { readonly id: string; readonly payeeId: string }): string =>
  `payee_file.sealed ${id} of ${payeeId}`;
