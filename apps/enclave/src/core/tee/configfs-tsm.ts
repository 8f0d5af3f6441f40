import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportFolder } from '../../os/report-folder.ts';
import { inTurn } from './in-turn.ts';
import { collateralIn, measuredIn } from './measured.ts';
import type { TeeOptions, TeeProvider } from './provider.ts';
import { readRootKey } from './root-key-file.ts';

/** Linux's `configfs-tsm` (Documentation/ABI/testing/configfs-tsm-report): one directory a request, made and removed. */
export type ReportEntries = {
  /** Rejects with the kernel's code, as all of these do. */
  readonly make: (name: string) => Promise<unknown>;
  readonly write: (name: string, attribute: 'inblob', bytes: Uint8Array) => Promise<void>;
  readonly read: (name: string, attribute: Attribute) => Promise<Buffer>;
  readonly remove: (name: string) => Promise<void>;
};
type Attribute = 'outblob' | 'auxblob' | 'generation' | 'provider';

/** The kernel's own; with `made`, the one entry that is there already. */
export function kernelEntries(made: string | null = null): ReportEntries {
  const path = (name: string): string => made ?? join(reportFolder, name);
  return {
    make: async (name) => (made === null ? mkdir(path(name)) : undefined),
    write: (name, attribute, bytes) => writeFile(join(path(name), attribute), bytes),
    read: (name, attribute) => readFile(join(path(name), attribute)),
    remove: async (name) => (made === null ? rmdir(path(name)) : undefined),
  };
}

const drivers = { tdx: 'tdx_guest', 'sev-snp': 'sev_guest' } as const;

/** A confidential VM of Intel TDX or AMD SEV-SNP. The guest has no sealing secret; `rootKeyFile` names it. */
export function configfsTsmTee(
  kind: keyof typeof drivers,
  { dir, rootKeyFile, reportEntry }: TeeOptions,
  entries: ReportEntries = kernelEntries(reportEntry),
): TeeProvider {
  const alone = inTurn();
  const ask = (reportData: Uint8Array) => alone(() => report(entries, kind, reportData));
  return {
    kind,
    hardware: true,
    quote: async (reportData) => (await ask(reportData)).outblob,
    measurements: async () => {
      const { outblob, auxblob } = await ask(noReportData);
      const beside = auxblob.length > 0 ? { certificates: auxblob.toString('base64') } : {};
      return { ...measuredIn[kind](outblob), ...beside, ...(kind === 'tdx' && (await collateralIn(dir))) };
    },
    // First the evidence: without hardware the key must not be used.
    sealingSecret: async () => {
      await ask(noReportData);
      return readRootKey(rootKeyFile, kind);
    },
  };
}

const noReportData = Buffer.alloc(64);

type Report = { readonly outblob: Buffer; readonly auxblob: Buffer };

const maxTries = 8;

async function report(
  entries: ReportEntries,
  kind: keyof typeof drivers,
  reportData: Uint8Array,
): Promise<Report> {
  const name = `countersign-${randomBytes(8).toString('hex')}`;
  await entries.make(name).catch(explain(kind));
  try {
    const provider = (await entries.read(name, 'provider')).toString('latin1').trim();
    if (provider !== drivers[kind])
      throw new Error(`this machine is ${provider}, and TEE_PROVIDER says ${kind}`);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const answer = await reportOnce(entries, name, reportData);
      if (answer !== null) return answer;
    }
    throw new Error('somebody else keeps writing to our request for a quote');
  } catch (error) {
    return explain(kind)(error as NodeJS.ErrnoException);
  } finally {
    // One that stays does no harm: the next has another name.
    await entries.remove(name).catch(() => {});
  }
}

/** Null when somebody else wrote between our writing and our reading: the kernel counts every write. */
async function reportOnce(
  entries: ReportEntries,
  name: string,
  reportData: Uint8Array,
): Promise<Report | null> {
  const before = await generation(entries, name);
  await entries.write(name, 'inblob', reportData);
  const outblob = await entries.read(name, 'outblob');
  const auxblob = await entries.read(name, 'auxblob').catch(() => Buffer.alloc(0));
  return (await generation(entries, name)) === before + 1n ? { outblob, auxblob } : null;
}

const generation = async (entries: ReportEntries, name: string): Promise<bigint> =>
  BigInt((await entries.read(name, 'generation')).toString('latin1').trim());

const explanations: Readonly<Record<string, string>> = {
  ENOENT: `there is no ${reportFolder}: this is no such machine, or its kernel (6.7 or later) has no configfs-tsm`,
  ENXIO: 'the kernel has no driver of a TEE behind configfs-tsm',
  EACCES: `${reportFolder} may only be written to by root: start the enclave as root, its core is given what it needs`,
  EPERM: `${reportFolder} may only be written to by root: start the enclave as root, its core is given what it needs`,
  EFBIG: 'the quote is longer than the kernel takes',
  EBUSY: 'the TEE is busy',
};

const explain =
  (kind: string) =>
  (error: NodeJS.ErrnoException): never => {
    const why = error.code === undefined ? error.message : (explanations[error.code] ?? error.code);
    throw new Error(`no quote of ${kind}: ${why}`, { cause: error });
  };
