import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSealer, openSealer, parseKey } from './seal.ts';

const sealer = createSealer(randomBytes(32));
const text = '{"risk":"Severe","name":"Ünïcødé"}';

test('what is sealed opens again, and shows nothing meanwhile', () => {
  const sealed = sealer.seal(text, 'scr_1');
  expect(sealer.open(sealed, 'scr_1')).toBe(text);
  expect(sealed.bytes.toString('latin1')).not.toContain('Severe');
  expect(sealer.seal(text, 'scr_1').bytes).not.toEqual(sealed.bytes);
});

test('another row, another key and changed bytes do not open it', () => {
  const { bytes, keyId } = sealer.seal(text, 'scr_1');
  expect(() => sealer.open({ bytes, keyId }, 'scr_2')).toThrow('belongs to another row');
  expect(() => createSealer(randomBytes(32)).open({ bytes, keyId }, 'scr_1')).toThrow('under another key');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => sealer.open({ bytes: changed, keyId }, 'scr_1')).toThrow('changed since it was sealed');
  }
  expect(() => sealer.open({ bytes: Buffer.alloc(3), keyId }, 'scr_1')).toThrow('changed since');
});

test('the key of a file is made once, for its owner alone, and found again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'deeper', 'evidence.key');
  const sealed = openSealer({ kind: 'file', path })?.seal(text, 'scr_1');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(sealed && openSealer({ kind: 'file', path })?.open(sealed, 'scr_1')).toBe(text);
  const key = parseKey(readFileSync(path, 'utf8'));
  expect(key && sealed && openSealer({ kind: 'given', key })?.open(sealed, 'scr_1')).toBe(text);
  writeFileSync(path, 'not a key');
  expect(() => openSealer({ kind: 'file', path })).toThrow('does not hold 32 bytes in base64');
});

test.each([
  '',
  'abc',
  Buffer.alloc(31).toString('base64'),
  Buffer.alloc(33).toString('base64'),
  '0'.repeat(64),
])('no key: %j', (value) => expect(parseKey(value)).toBeNull());
