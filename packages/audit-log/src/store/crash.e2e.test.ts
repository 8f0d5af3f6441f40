import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulated } from '../../test/sample-records.ts';
import { buildWriterProgram, startWriter, type WriterProcess } from '../../test/writer-process.ts';
import { testKey } from '../../test/writer-program.ts';
import { beforeFirst, isSigned, linkProblem, readRecord } from '../chain-check.ts';
import { localSigner } from '../keys.ts';
import type { AuditLog } from './audit-log.ts';
import { openAuditLog } from './open.ts';

const signer = localSigner(testKey);
const tenants = ['tnt_0', 'tnt_1', 'tnt_2'];
let root: string;
let program: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'countersign-audit-crash-'));
  program = await buildWriterProgram(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function openHere(dir: string): Promise<AuditLog> {
  const log = await openAuditLog({
    dir,
    origin: 'log.example/audit',
    tee: simulated,
    signer,
    now: Date.now,
  });
  if (!log.ok) throw new Error(log.error.reason);
  return log.value;
}

/** Every chain from its start, with every signature; gives all ids. */
async function idsOfWholeLog(log: AuditLog): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const tenantId of tenants) {
    let before = beforeFirst(tenantId);
    for await (const line of log.exportLines(tenantId, null)) {
      if (line.startsWith('{"checkpoint"')) continue;
      const sealed = readRecord(line);
      if (sealed === null) throw new Error(`not a record: ${line}`);
      expect(linkProblem(sealed, before)).toBeNull();
      expect(isSigned(sealed.record, signer.publicKey)).toBe(true);
      ids.add(sealed.record.auditId);
      before = sealed.record;
    }
  }
  expect(ids.size).toBe(log.head.size);
  return ids;
}

/** Lets a writer say so many appends, kills it, and gives what it had acknowledged by then. */
async function acknowledgedUntilKilled(writer: WriterProcess, after: number): Promise<string[]> {
  const ids: string[] = [];
  let killed: Promise<void> | null = null;
  for await (const said of writer.said) {
    if ('refused' in said) throw new Error(`the writer was refused: ${said.refused}`);
    if ('appended' in said) ids.push(said.appended);
    if (ids.length >= after) killed ??= writer.kill();
  }
  await killed;
  return ids;
}

test('a writer killed at any moment, again and again, loses nothing it acknowledged, and the chains go on [vault.audit.store.crash] [vault.audit.store.one-writer]', async () => {
  const dir = join(root, 'killed');
  const acknowledged: string[] = [];
  // From the first append on, and with one caller as with many: the kill falls before, in and after a flush.
  for (const [callers, after] of [1, 8, 64].flatMap((callers) =>
    [1, 2, 7, 40, 173].map((after) => [callers, after] as const),
  )) {
    acknowledged.push(...(await acknowledgedUntilKilled(startWriter(program, dir, callers), after)));
    const log = await openHere(dir);
    const ids = await idsOfWholeLog(log);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    await log.close();
  }
  expect(acknowledged.length).toBeGreaterThan(500);
});

test('a second writer is told that there is one, in whatever process', async () => {
  const dir = join(root, 'two');
  const first = startWriter(program, dir, 1);
  await first.said.next();
  const second = startWriter(program, dir, 1);
  expect((await second.said.next()).value).toEqual({ refused: 'AUDIT_LOCKED' });
  await first.kill();
  const third = startWriter(program, dir, 1);
  expect((await third.said.next()).value).toMatchObject({ open: expect.any(Number) });
  await third.kill();
});

const canLimit = process.platform === 'linux';
/** No file of the process may grow beyond this: what a full disk does, for one process and without being root. */
const limitFiles = (pid: number, bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);

test.runIf(canLimit)(
  'on a full disk an append fails as a value, nothing is half written, and it goes on when there is room [vault.audit.store.full-disk]',
  async () => {
    const dir = join(root, 'full');
    const writer = startWriter(program, dir, 8);
    const appended: string[] = [];
    const refusals: string[] = [];
    let afterRoom = 0;
    let killed: Promise<void> | null = null;
    for await (const said of writer.said) {
      if ('open' in said) limitFiles(writer.pid, 100_000);
      else if ('refused' in said) {
        refusals.push(said.refused);
        if (refusals.length === 30) limitFiles(writer.pid, 'unlimited');
      } else {
        appended.push(said.appended);
        if (refusals.length >= 30) afterRoom += 1;
        if (afterRoom >= 50) killed ??= writer.kill();
      }
    }
    await killed;
    expect(refusals.filter((why) => !/^the record could not be written: (EFBIG|ENOSPC)/.test(why))).toEqual(
      [],
    );
    const log = await openHere(dir);
    const ids = await idsOfWholeLog(log);
    expect(appended.filter((id) => !ids.has(id))).toEqual([]);
    // Nothing of a refused record is there: what is there was told, but for what was under way at the end.
    expect(ids.size - appended.length).toBeLessThanOrEqual(8);
    await log.close();
  },
);
