import type { Binding, Envelope } from '@countersign/protocol/enclave/credential-parts';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import { bytesOf, envelopeOf, type EnvelopeRow } from './envelope-row.ts';

/** A table of credentials, wherever in the database one is: each has the columns of a binding and of an envelope. */
export type SealedTable = {
  /** Some whose envelope is of an older root secret. */
  readonly before: (db: Queryable, root: number, limit: number) => Promise<readonly Sealed[]>;
  /** Puts the envelope of a newer root in place of the one that was read. */
  readonly replace: (db: Queryable, sealed: Sealed, envelope: Envelope) => Promise<void>;
};

export type Sealed = { readonly binding: Binding; readonly envelope: Envelope };

/**
 * The vault's, and the control plane's where there is one. Next values stand before those in use: one that comes into use meanwhile is found
 * there, whichever root it brings along. Values that were replaced stand after those in use, for the same reason.
 */
const tables = [
  { name: 'vault.credential', id: 'id' },
  { name: 'vault.replaced_value', id: 'credentialId' },
  { name: 'control_plane.rotation', id: 'credentialId' },
  { name: 'control_plane.credential', id: 'id' },
] as const;
const binding = ['tenantId', 'serviceId', 'type', 'version'] as const;
const envelope = ['root', 'salt', 'nonce', 'ciphertext'] as const;

const isThere = statement<{ is: boolean }>('sealed.is-there', 'select to_regclass($1) is not null as is');

/** Every table of credentials that this database has. */
export async function sealedTables(db: Queryable): Promise<readonly SealedTable[]> {
  const there = await Promise.all(
    tables.map(async (table) => ((await firstRow(db, isThere, [table.name]))?.is ? [tableOf(table)] : [])),
  );
  return there.flat();
}

function tableOf({ name, id: idField }: (typeof tables)[number]): SealedTable {
  const { from, list, columns } = sqlTable(name, 'c', ['id', 'credentialId', ...binding, ...envelope]);
  const id = columns[idField];
  const select = statement<Row>(
    `${name}.of-older-root`,
    `select ${id} as "credentialId", ${list(...binding, ...envelope)}
     from ${from} where c.root < $1 order by c.root, ${id} limit $2`,
  );
  const update = statement(
    `${name}.rewrap`,
    `update ${from} set root = $3, salt = $4, nonce = $5, ciphertext = $6
     where ${id} = $1 and c.root = $2 and c.version = $7`,
  );
  return {
    before: async (db, root, limit) => (await rows(db, select, [root, limit])).map(sealedOf),
    replace: async (db, { binding, envelope: read }, envelope) => {
      await rows(db, update, [binding.credentialId, read.root, ...bytesOf(envelope), binding.version]);
    },
  };
}

type Row = Binding & EnvelopeRow;

const sealedOf = (row: Row): Sealed => {
  const { tenantId, credentialId, serviceId, type, version } = row;
  return { binding: { tenantId, credentialId, serviceId, type, version }, envelope: envelopeOf(row) };
};
