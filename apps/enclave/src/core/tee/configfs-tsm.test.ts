import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveReportEntry, makeReportEntry, removeReportEntry } from '../../launcher/report-entry.ts';
import { configfsTsmTee, type ReportEntries } from './configfs-tsm.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tsm-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const reportData = Buffer.alloc(64, 0xab);

/** A kernel's configfs-tsm: a new entry counts its writes, and its quote holds what was written last. */
class Kernel implements ReportEntries {
  readonly entries = new Map<string, { generation: number; inblob: Buffer }>();
  readonly asked: string[] = [];
  readonly #provider: string;
  readonly #auxblob: Buffer | null;
  /** So many times somebody else writes before the quote is read. */
  disturbances = 0;
  failure: string | null = null;

  constructor(provider: string, auxblob: Buffer | null = null) {
    this.#provider = provider;
    this.#auxblob = auxblob;
  }

  async make(name: string) {
    if (this.failure === 'ENOENT' || this.failure === 'EACCES') throw refusal(this.failure);
    this.asked.push(name);
    this.entries.set(name, { generation: 0, inblob: Buffer.alloc(0) });
  }

  async write(name: string, _attribute: string, bytes: Uint8Array) {
    const entry = this.#entry(name);
    if (bytes.length > 64) throw refusal('EINVAL');
    entry.inblob = Buffer.from(bytes);
    entry.generation += 1;
    if (this.disturbances > 0) {
      this.disturbances -= 1;
      entry.inblob = Buffer.alloc(64, 0xff);
      entry.generation += 1;
    }
  }

  async read(name: string, attribute: string): Promise<Buffer> {
    const { generation, inblob } = this.#entry(name);
    if (attribute === 'generation') return Buffer.from(`${generation}\n`);
    if (attribute === 'provider') return Buffer.from(`${this.#provider}\n`);
    if (attribute === 'outblob' && this.failure !== null) throw refusal(this.failure);
    if (attribute === 'outblob') return quoteOver(inblob);
    if (this.#auxblob === null) throw refusal('ENOENT');
    return this.#auxblob;
  }

  async remove(name: string) {
    this.entries.delete(name);
  }

  #entry(name: string) {
    const entry = this.entries.get(name);
    if (entry === undefined) throw refusal('ENOENT');
    return entry;
  }
}

const refusal = (code: string) => Object.assign(new Error(`kernel: ${code}`), { code });

/** Long enough for what is measured, with version 4 in front. */
function quoteOver(inblob: Buffer): Buffer {
  const quote = Buffer.alloc(1184, 1);
  quote.writeUInt16LE(4, 0);
  inblob.copy(quote, 568);
  return quote;
}

describe('a confidential VM over configfs-tsm', () => {
  test('asks in an entry of its own, which it removes [vault.tee.provider-gives]', async () => {
    const kernel = new Kernel('tdx_guest');
    const tee = configfsTsmTee('tdx', { dir, program: '' }, kernel);
    expect(await tee.quote(reportData)).toEqual(quoteOver(reportData));
    await Promise.all([tee.quote(reportData), tee.quote(Buffer.alloc(64))]);
    expect(new Set(kernel.asked).size).toBe(3);
    expect(kernel.entries.size).toBe(0);
  });

  test('asks again when somebody else wrote meanwhile, and gives up in the end', async () => {
    const kernel = new Kernel('tdx_guest');
    const tee = configfsTsmTee('tdx', { dir, program: '' }, kernel);
    kernel.disturbances = 3;
    expect(await tee.quote(reportData)).toEqual(quoteOver(reportData));
    kernel.disturbances = 1000;
    await expect(tee.quote(reportData)).rejects.toThrow('somebody else keeps writing');
    expect(kernel.entries.size).toBe(0);
  });

  test('tells what was measured, AMD’s certificates and Intel’s collateral [vault.tee.provider-gives]', async () => {
    const snp = configfsTsmTee(
      'sev-snp',
      { dir, program: '' },
      new Kernel('sev_guest', Buffer.from('table')),
    );
    const measured = '01'.repeat(48);
    expect(await snp.measurements()).toMatchObject({
      measurement: measured,
      certificates: Buffer.from('table').toString('base64'),
    });
    const tdx = configfsTsmTee('tdx', { dir, program: '' }, new Kernel('tdx_guest'));
    expect(await tdx.measurements()).toEqual({
      mrtd: measured,
      rtmr0: measured,
      rtmr1: measured,
      rtmr2: measured,
      rtmr3: measured,
    });
    writeFileSync(join(dir, 'collateral.json'), '{"tcb_info":""}');
    expect(await tdx.measurements()).toMatchObject({ collateral: '{"tcb_info":""}' });
  });

  test.each([
    ['ENOENT', 'this is no such machine'],
    ['EACCES', 'may only be written to by root'],
    ['EFBIG', 'longer than the kernel takes'],
    ['EIO', 'EIO'],
  ])('says what %s means', async (code, sentence) => {
    const kernel = new Kernel('tdx_guest');
    kernel.failure = code;
    await expect(configfsTsmTee('tdx', { dir, program: '' }, kernel).quote(reportData)).rejects.toThrow(
      sentence,
    );
  });

  test('refuses a machine of the other vendor', async () => {
    const tee = configfsTsmTee('tdx', { dir, program: '' }, new Kernel('sev_guest'));
    await expect(tee.quote(reportData)).rejects.toThrow(
      'this machine is sev_guest, and TEE_PROVIDER says tdx',
    );
  });

  test('takes its sealing secret from a file of its owner’s, and only where there is evidence [vault.tee.provider-gives]', async () => {
    const key = (content: string | Buffer, mode = 0o400) => {
      const file = join(dir, `key-${Math.random()}`);
      writeFileSync(file, content, { mode });
      return configfsTsmTee(
        'tdx',
        { dir, program: '', rootKeyFile: file },
        new Kernel('tdx_guest'),
      ).sealingSecret();
    };
    const secret = Buffer.from('0123456789abcdef'.repeat(4), 'hex');
    expect(await key(secret)).toEqual(secret);
    expect(await key(`${secret.toString('hex')}\n`)).toEqual(secret);
    expect(await key(secret.toString('hex').toUpperCase())).toEqual(secret);
    for (const wrong of ['', 'x'.repeat(64), secret.subarray(1), `${secret.toString('hex')}00`])
      await expect(key(wrong)).rejects.toThrow(/ENCLAVE_ROOT_KEY_FILE/);
    await expect(key(secret, 0o440)).rejects.toThrow('by its owner alone');
    const without = configfsTsmTee('tdx', { dir, program: '' }, new Kernel('tdx_guest'));
    await expect(without.sealingSecret()).rejects.toThrow('ENCLAVE_ROOT_KEY_FILE');
    const elsewhere = configfsTsmTee('tdx', { dir, program: '' });
    await expect(elsewhere.sealingSecret()).rejects.toThrow('this is no such machine');
  });

  test('asks in the entry that the launcher made for it, and leaves it there', async () => {
    const entry = makeReportEntry('tdx', dir);
    if (entry === null) throw new Error('no entry');
    // Files instead of a kernel: the count does not move, so that every answer looks disturbed.
    for (const [name, text] of [
      ['provider', 'tdx_guest'],
      ['generation', '1'],
      ['outblob', 'quote'],
      ['inblob', ''],
    ] as const)
      writeFileSync(join(entry, name), text);
    giveReportEntry(entry, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    const tee = configfsTsmTee('tdx', { dir, program: '', reportEntry: entry });
    await expect(tee.quote(reportData)).rejects.toThrow('somebody else keeps writing');
    expect(readFileSync(join(entry, 'inblob'))).toEqual(reportData);
    removeReportEntry(entry);
    expect(existsSync(entry)).toBe(true);
    expect(makeReportEntry('nitro', dir)).toBeNull();
    expect(makeReportEntry('tdx', join(dir, 'nowhere'))).toBeNull();
  });
});
