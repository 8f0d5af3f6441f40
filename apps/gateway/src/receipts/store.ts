import type { KeyObject } from 'node:crypto';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { type Database, open } from 'lmdb';
import { canonicalText, sha256 } from '../canonical.ts';
import { type Environment, environmentFile, maxDatabases } from '../state/environment.ts';
import type { Reporting } from '../state/state.ts';
import {
  type InputName,
  type NamedInput,
  noReceiptHash,
  type Receipt,
  type ReceiptDraft,
  type ReceiptsPort,
  type Recorded,
} from './receipt.ts';
import { signText } from './receipt-key.ts';

/** A receipt's RFC 8785 text and the signature over it, with the texts of those inputs that only it has. */
export type StoredReceipt = {
  readonly text: string;
  readonly signature: string;
  readonly own: OwnInputs;
};
type OwnInputs = { readonly [Name in InputName]?: string };

/** The end of the chain. */
export type Head = { readonly seq: number; readonly hash: string };

/**
 * Inputs that differ in each call and are stored in its receipt. All others may recur and are stored by hash.
 */
const neverRepeated: ReadonlySet<InputName> = new Set(['clock', 'nonce', 'settlement']);

/** Hashes that a process remembers to be in the store already, before it forgets them all. */
const maxKnown = 4096;

const databaseName = 'receipts';

type Parts = {
  readonly environment: Environment;
  readonly key: KeyObject;
  readonly configuration: unknown;
  readonly reporting: Reporting;
  /** Unix ms. */
  readonly now: () => number;
  readonly log: Logger;
};

/**
 * The receipts of all gateway processes on one state directory, in one chain: reading its end and adding to it is one
 * transaction, and the report of the same decision is a part of it.
 */
export function openReceipts({ environment, key, configuration, reporting, now, log }: Parts): ReceiptsPort {
  const db = environment.database(databaseName);
  const text = canonicalText(configuration);
  const recorded = { text, hash: sha256(text) };
  const known = knownInputs(db);
  const failed = ({ traceId, verdict }: ReceiptDraft, error: unknown): null => {
    log.error({ traceId, code: verdict.code, why: sayWhy(error) }, 'a receipt could not be written');
    return null;
  };
  /** Inside a transaction. Signed before anything is written: what fails leaves the chain as it was. */
  const add = (draft: ReceiptDraft, own: OwnInputs, shared: readonly Recorded[]): string | null => {
    try {
      const head = headOf(db);
      const next = place(draft, head, now());
      const stored: StoredReceipt = { text: next, signature: signText(next, key), own };
      const hash = sha256(next);
      for (const input of shared) void db.put(['input', input.hash], input.text);
      void db.put(['receipt', head.seq + 1], stored);
      void db.put('head', { seq: head.seq + 1, hash } satisfies Head);
      return hash;
    } catch (error) {
      return failed(draft, error);
    }
  };
  return {
    configuration: recorded,
    async append(draft, inputs, report) {
      const within = report === null ? null : reporting.reportWithin;
      const shared = known.unknownOf([recorded, ...sharedOf(inputs)]);
      let hash: string | null = null;
      try {
        await environment.durably(() => {
          hash = add(draft, ownOf(inputs), shared);
          if (report !== null) within?.write(report(hash));
        });
      } catch (error) {
        failed(draft, error);
        if (report !== null) await reportAlone(reporting, report(null));
        return null;
      }
      if (report !== null && within === null) await reportAlone(reporting, report(hash));
      within?.tell();
      if (hash === null) return null;
      known.remember(shared);
      return { hash };
    },
  };
}

const reportAlone = (reporting: Reporting, { report, nonce }: ReturnType<MakeReport>): Promise<void> =>
  reporting.report(report, nonce);
type MakeReport = NonNullable<Parameters<ReceiptsPort['append']>[2]>;

const sharedOf = (inputs: readonly NamedInput[]): readonly Recorded[] =>
  inputs.filter(([name]) => !neverRepeated.has(name)).map(([, input]) => input);

const ownOf = (inputs: readonly NamedInput[]): OwnInputs =>
  Object.fromEntries(
    inputs.filter(([name]) => neverRepeated.has(name)).map(([name, { text }]) => [name, text]),
  );

/** Which inputs need not be written again: what is in the store stays there. */
function knownInputs(db: Database) {
  const known = new Set<string>();
  return {
    /** Looked up outside of the transaction, which all processes wait for. */
    unknownOf: (inputs: readonly Recorded[]) =>
      inputs.filter(({ hash }) => !known.has(hash) && !db.doesExist(['input', hash])),
    remember(inputs: readonly Recorded[]): void {
      if (known.size > maxKnown) known.clear();
      for (const { hash } of inputs) known.add(hash);
    },
  };
}

const headOf = (db: Database): Head =>
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
  const root = open({ path: environmentFile(dir), maxDbs: maxDatabases, readOnly: true });
  const db = root.openDB({ name: databaseName });
  return {
    head: (): Head => headOf(db),
    receipt: (seq: number) => db.get(['receipt', seq]) as StoredReceipt | undefined,
    /** The RFC 8785 text that has this hash. */
    input: (hash: string) => db.get(['input', hash]) as string | undefined,
    close: () => root.close(),
  };
}
