import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { open, type RootDatabase } from 'lmdb';
import { canonicalText, sha256 } from '../canonical.ts';
import { noReceiptHash, type Receipt, type ReceiptDraft, type ReceiptsPort } from './receipt.ts';
import { openReceiptKey, signText } from './receipt-key.ts';

/** A receipt's RFC 8785 text and the signature over it. */
export type StoredReceipt = { readonly text: string; readonly signature: string };

/** The end of the chain. */
export type Head = { readonly seq: number; readonly hash: string };

/** Hashes that a process remembers to be in the store already, before it forgets them all. */
const mostKnown = 4096;

const fileIn = (dir: string): string => join(dir, 'receipts.mdb');

/**
 * The receipts of all gateway processes on this directory, in one chain: reading its end and adding to it is one
 * transaction. Inputs are kept by their hash, so that an answer that repeats takes no more room. `now` is Unix ms.
 */
export function openReceipts(
  dir: string,
  configuration: unknown,
  now: () => number,
  log: Logger,
): ReceiptsPort & { readonly close: () => Promise<void> } {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const key = openReceiptKey(dir);
  const db = open({ path: fileIn(dir) });
  const text = canonicalText(configuration);
  const recorded = { text, hash: sha256(text) };
  const known = new Set<string>();
  return {
    configuration: recorded,
    async append(draft, inputs) {
      try {
        let hash = '';
        // Looked up before the transaction, which all processes wait for: what is there stays there.
        const all = [recorded, ...inputs];
        const fresh = all.filter((input) => !known.has(input.hash) && !db.doesExist(['input', input.hash]));
        await db.transaction(() => {
          const head = headOf(db);
          const next = place(draft, head, now());
          hash = sha256(next);
          // Signed before anything is written: a throw leaves the chain as it was.
          const signature = signText(next, key);
          for (const input of fresh) void db.put(['input', input.hash], input.text);
          void db.put(['receipt', head.seq + 1], { text: next, signature } satisfies StoredReceipt);
          void db.put('head', { seq: head.seq + 1, hash } satisfies Head);
        });
        if (known.size > mostKnown) known.clear();
        for (const input of all) known.add(input.hash);
        return { hash, onDisk: Promise.resolve(db.flushed).then(() => undefined) };
      } catch (error) {
        log.error(
          { traceId: draft.traceId, code: draft.verdict.code, why: sayWhy(error) },
          'a receipt could not be written',
        );
        return null;
      }
    },
    close: async () => {
      await db.flushed;
      await db.close();
    },
  };
}

const headOf = (db: RootDatabase): Head =>
  (db.get('head') as Head | undefined) ?? { seq: 0, hash: noReceiptHash };

const place = (draft: ReceiptDraft, head: Head, now: number): string =>
  canonicalText({
    ...draft,
    v: 'countersign-receipt-1',
    seq: head.seq + 1,
    prev: head.hash,
    at: new Date(now).toISOString(),
  } satisfies Receipt);

/** Reads the receipts of a gateway that may be running. Throws when `dir` has none. */
export function readReceipts(dir: string) {
  const db = open({ path: fileIn(dir), readOnly: true });
  return {
    head: (): Head => headOf(db),
    receipt: (seq: number) => db.get(['receipt', seq]) as StoredReceipt | undefined,
    /** The RFC 8785 text that has this hash. */
    input: (hash: string) => db.get(['input', hash]) as string | undefined,
    close: () => db.close(),
  };
}
