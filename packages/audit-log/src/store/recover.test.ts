import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { append, OpenLogs, signer } from '../../test/open-logs.ts';
import { newSigner } from '../../test/sample-records.ts';
import { seal } from '../chain.ts';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { makeFrame, readFrame } from './frame.ts';

let logs: OpenLogs;

beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

const segmentsIn = (dir: string) => join(dir, 'segments');
const fileIn = (dir: string) => join(segmentsIn(dir), readdirSync(segmentsIn(dir)).sort().at(-1) ?? '');

/** What lies on the disk at this moment: what a crash would leave. */
function image(from: string): string {
  const to = join(logs.dir, `image-${process.hrtime.bigint()}`);
  mkdirSync(to);
  for (const name of ['segments', 'checkpoint'])
    cpSync(join(from, name), join(to, name), { recursive: true });
  return to;
}

/** Three records, one frame each. `closed` has a checkpoint over them, `crashed` only that of the beginning. */
async function threeRecords() {
  const dir = join(logs.dir, 'log');
  const log = await logs.open({ dir });
  const records: AuditRecord[] = [];
  for (let i = 0; i < 3; i += 1) records.push(await append(log, { detail: { i } }));
  const crashed = image(dir);
  const { head } = log;
  await log.close();
  return { crashed, closed: image(dir), records, head };
}

const refusalAt = (leafIndex: number | null) => ({ ok: false, error: { code: 'AUDIT_ROLLBACK', leafIndex } });

/** The file's frames with their records, for whoever wants to write them anew. */
function rewrite(dir: string, change: (texts: string[], i: number) => string[]): void {
  const bytes = readFileSync(fileIn(dir));
  const frames: Buffer[] = [];
  for (let at = 0, frame = readFrame(bytes, at); frame !== null; frame = readFrame(bytes, at)) {
    const texts = frame.places.map(({ offset, length }) => bytes.toString('utf8', offset, offset + length));
    const changed = change(texts, frames.length);
    frames.push(changed.length === 0 ? Buffer.alloc(0) : makeFrame(changed).bytes);
    at = frame.end;
  }
  writeFileSync(fileIn(dir), Buffer.concat(frames));
}

describe('after a crash', () => {
  test('a torn end is cut off at whatever byte it was torn, and the log goes on', async () => {
    const { crashed } = await threeRecords();
    const whole = readFileSync(fileIn(crashed)).length;
    const lastFrame = whole / 3;
    for (let cut = 1; cut <= lastFrame; cut += 37) {
      const dir = image(crashed);
      truncateSync(fileIn(dir), whole - cut);
      const log = await logs.open({ dir });
      expect(log.head.size).toBe(2);
      expect(await append(log)).toMatchObject({ seq: 3, leafIndex: 2 });
      await log.close();
      const again = await logs.open({ dir });
      expect(again.head.size).toBe(3);
    }
  });

  test('noise after the last frame is cut off', async () => {
    const { crashed, head } = await threeRecords();
    for (const noise of [Buffer.alloc(4096), Buffer.from('CAL1'), Buffer.alloc(100, 0xff)]) {
      const dir = image(crashed);
      appendFileSync(fileIn(dir), noise);
      expect((await logs.open({ dir })).head).toEqual(head);
    }
  });

  test('nothing is cut off that the log has a checkpoint for [vault.audit.store.rollback]', async () => {
    const { closed } = await threeRecords();
    truncateSync(fileIn(closed), readFileSync(fileIn(closed)).length - 1);
    const before = readFileSync(fileIn(closed));
    expect(await logs.tryOpen({ dir: closed })).toMatchObject(refusalAt(2));
    expect(readFileSync(fileIn(closed))).toEqual(before);
  });
});

describe('a log that is not what it was does not open', () => {
  test('any flipped bit before the last frame is found at its record', async () => {
    const { crashed, closed } = await threeRecords();
    const frame = readFileSync(fileIn(crashed)).length / 3;
    const images = [crashed, closed] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...images),
        fc.nat(frame * 2 - 1),
        fc.nat(7),
        async (from, place, bit) => {
          const dir = image(from);
          const bytes = readFileSync(fileIn(dir));
          bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
          writeFileSync(fileIn(dir), bytes);
          expect(await logs.tryOpen({ dir })).toMatchObject(refusalAt(Math.floor(place / frame)));
        },
      ),
      { numRuns: 40 },
    );
  });

  const changes: readonly [what: string, at: number, change: (texts: string[], i: number) => string[]][] = [
    ['changed', 1, (texts, i) => texts.map((text) => (i === 1 ? text.replace('user:', 'User:') : text))],
    ['dropped', 1, (texts, i) => (i === 1 ? [] : texts)],
    ['doubled', 2, (texts, i) => (i === 1 ? [...texts, ...texts] : texts)],
    ['written as other JSON', 1, (texts, i) => (i === 1 ? texts.map((text) => `${text} `) : texts)],
  ];
  test.each(changes)(
    'a record %s with every checksum made good is found there',
    async (_what, at, change) => {
      const { crashed, closed } = await threeRecords();
      for (const dir of [crashed, closed]) {
        rewrite(dir, change);
        expect(await logs.tryOpen({ dir })).toMatchObject(refusalAt(at));
      }
    },
  );

  test('a chain written anew from some record on, by another key', async () => {
    const { crashed, closed, records } = await threeRecords();
    const forger = newSigner();
    let prevChainHash = records[0]?.chainHash ?? '';
    const forged = records.map(({ chainHash: _h, signature: _s, ...body }, i) => {
      if (i === 0) return canonicalize(records[0]) ?? '';
      const sealed = seal({ ...body, detail: { forged: i }, prevChainHash }, forger);
      prevChainHash = sealed.record.chainHash;
      return sealed.text;
    });
    for (const dir of [crashed, closed]) {
      rewrite(dir, (_texts, i) => [forged[i] ?? '']);
      expect(await logs.tryOpen({ dir })).toMatchObject(refusalAt(1));
    }
  });

  test('a fork by the same key, because its own checkpoint is of the other branch', async () => {
    const { crashed, closed } = await threeRecords();
    truncateSync(fileIn(crashed), (readFileSync(fileIn(crashed)).length / 3) * 2);
    const fork = await logs.open({ dir: crashed });
    await append(fork, { detail: { i: 'another' } });
    await fork.close();
    cpSync(join(closed, 'checkpoint'), join(crashed, 'checkpoint'));
    expect(await logs.tryOpen({ dir: crashed })).toMatchObject(refusalAt(null));
  });

  test('a missing file, checkpoint or beginning', async () => {
    const { closed } = await threeRecords();
    const without = (name: string) => {
      const dir = image(closed);
      rmSync(join(dir, name), { recursive: true });
      return logs.tryOpen({ dir });
    };
    expect(await without('checkpoint')).toMatchObject(refusalAt(0));
    expect(await without('segments')).toMatchObject(refusalAt(0));
    cpSync(fileIn(closed), join(segmentsIn(closed), '0000000000000004.log'));
    expect(await logs.tryOpen({ dir: closed })).toMatchObject(refusalAt(3));
  });

  test('a checkpoint of which a byte was changed', async () => {
    const { closed } = await threeRecords();
    const checkpoint = readFileSync(join(closed, 'checkpoint'), 'utf8');
    for (const changed of ['', checkpoint.replace('\n3\n', '\n2\n'), checkpoint.slice(0, -9)]) {
      writeFileSync(join(closed, 'checkpoint'), changed);
      expect(await logs.tryOpen({ dir: closed })).toMatchObject(refusalAt(null));
    }
  });

  test('an old copy of everything, because the chain knows better [vault.audit.store.rollback]', async () => {
    const { crashed, closed, head } = await threeRecords();
    truncateSync(fileIn(crashed), (readFileSync(fileIn(crashed)).length / 3) * 2);
    const anchored = async () => head;
    expect(await logs.tryOpen({ dir: crashed, anchored })).toMatchObject(refusalAt(2));
    const other = async () => ({ size: 2, root: Buffer.alloc(32) });
    expect(await logs.tryOpen({ dir: closed, anchored: other })).toMatchObject(refusalAt(null));
    expect((await logs.tryOpen({ dir: closed, anchored: async () => null })).ok).toBe(true);
  });

  test('another log, or the same log for a key that it does not know', async () => {
    const { closed } = await threeRecords();
    const unknown = { ok: false, error: { code: 'AUDIT_SIGNER_UNKNOWN' } };
    expect(await logs.tryOpen({ dir: closed, origin: 'other.example' })).toMatchObject(unknown);
    expect(await logs.tryOpen({ dir: closed, signer: newSigner() })).toMatchObject(unknown);
  });
});

describe('one writer', () => {
  test('at a time; the next one when it closes', async () => {
    const log = await logs.open();
    expect(await logs.tryOpen()).toMatchObject({ ok: false, error: { code: 'AUDIT_LOCKED' } });
    await log.close();
    expect((await logs.open()).head.size).toBe(0);
  });

  test('whose log is closed writes nothing more', async () => {
    const log = await logs.open();
    await log.close();
    await expect(append(log)).rejects.toThrow('the log is closed');
  });

  test('may try again after a log was refused', async () => {
    const { closed } = await threeRecords();
    expect((await logs.tryOpen({ dir: closed, signer: newSigner() })).ok).toBe(false);
    expect((await logs.open({ dir: closed, signer })).head.size).toBe(3);
  });
});
