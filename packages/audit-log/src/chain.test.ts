import { createHash, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainOf, draft, newSigner, simulated } from '../test/sample-records.ts';
import { bodyTextOf, firstPrevChainHash, seal } from './chain.ts';
import { beforeFirst, isSigned, linkProblem, readRecord } from './chain-check.ts';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';

const signer = newSigner();
const chain = chainOf(12, signer);
const texts = chain.map(({ text }) => text);

/** Index and name of the first thing that is wrong. */
function firstProblem(lines: readonly string[]): string | null {
  let before = beforeFirst('tnt_a');
  for (const [i, line] of lines.entries()) {
    const sealed = readRecord(line);
    const link = sealed === null ? 'unreadable' : linkProblem(sealed, before);
    if (link !== null) return `${i} ${link}`;
    if (sealed !== null && !isSigned(sealed.record, signer.publicKey)) return `${i} signature`;
    before = sealed?.record ?? before;
  }
  return null;
}

test('a record has all its fields, and those of its subject [vault.audit.record.fields] [vault.audit.record.subject-fields]', () => {
  const { record, text } = chain[0] ?? { record: null, text: '' };
  expect(JSON.parse(text)).toEqual(record);
  expect(record).toEqual({
    ...draft({ detail: { n: 1 } }),
    auditId: 'aud_01234567_2',
    seq: 1,
    leafIndex: 2,
    at: '2027-01-15T08:00:00.001Z',
    tee: simulated,
    prevChainHash: firstPrevChainHash,
    chainHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
  });
});

test('chainHash and signature are what the page says, made here by hand [vault.audit.chain.hash] [vault.audit.chain.first]', () => {
  let prevChainHash = '0'.repeat(64);
  for (const { record } of chain) {
    const { chainHash, signature, ...body } = record;
    const digest = createHash('sha256')
      .update('countersign-audit-v1')
      .update(Buffer.from(prevChainHash, 'hex'))
      .update(canonicalize(body) ?? '')
      .digest();
    expect(body.prevChainHash).toBe(prevChainHash);
    expect(digest.toString('hex')).toBe(chainHash);
    expect(verify(null, digest, signer.publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    prevChainHash = chainHash;
  }
});

test('the text of any record is its RFC 8785 text, and is read back', () => {
  // Some look like the members that are cut out of the text.
  const posing = fc.constantFrom(
    '__proto__',
    'chainHash',
    'signature',
    ',"chainHash":"0',
    '","signature":"A',
    '}"tee":{',
  );
  const text = fc.oneof(posing, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }));
  const subject = fc.record({ sessionId: text, credentialId: text, agentDid: text }, { requiredKeys: [] });
  fc.assert(
    fc.property(subject, text, fc.dictionary(text, fc.jsonValue()), (subject, name, detail) => {
      const {
        sessionId: _s,
        credentialId: _c,
        agentDid: _a,
        ...rest
      } = draft({ actor: name, tenantId: name });
      const body = {
        ...rest,
        ...subject,
        detail: { ...(JSON.parse(JSON.stringify(detail)) as object) },
        auditId: 'aud_01234567_0',
        seq: 1,
        leafIndex: 0,
        at: '2027-01-15T08:00:00.001Z',
        tee: simulated,
        prevChainHash: firstPrevChainHash,
      };
      const sealed = seal(body, signer);
      expect(sealed.text).toBe(canonicalize(sealed.record));
      expect(linkProblem(sealed, beforeFirst(name))).toBeNull();
      expect(readRecord(sealed.text)?.record).toEqual(JSON.parse(sealed.text));
      expect(bodyTextOf(sealed)).toBe(canonicalize(body));
    }),
  );
});

test.each([['\ud800'], [Number.NaN], [Number.POSITIVE_INFINITY]])(
  '%j has no text and is not sealed',
  (value) => {
    const body = { ...chain[0]?.record, detail: { value } } as AuditRecord;
    expect(() => seal(body, signer)).toThrow(/not allowed/);
  },
);

describe('a change anywhere is found where it was made', () => {
  test('an untouched chain has no problem', () => {
    expect(firstProblem(texts)).toBeNull();
  });

  const fields = Object.keys(chain[0]?.record ?? {}) as (keyof AuditRecord)[];
  const at = fc.integer({ min: 0, max: texts.length - 1 });

  test.each(fields)('%s changed', (field) => {
    fc.assert(
      fc.property(at, (i) => {
        const record = structuredClone(chain[i]?.record ?? {}) as Record<string, unknown>;
        record[field] = another(record[field]);
        expect(firstProblem(texts.with(i, canonicalize(record) ?? ''))).toMatch(new RegExp(`^${i} `));
      }),
      { numRuns: 12 },
    );
  });

  test('one flipped bit', () => {
    fc.assert(
      fc.property(at, fc.nat(), fc.integer({ min: 0, max: 6 }), (i, place, bit) => {
        const bytes = Buffer.from(texts[i] ?? '');
        bytes[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ (1 << bit);
        expect(firstProblem(texts.with(i, bytes.toString()))).toMatch(new RegExp(`^${i} `));
      }),
      { numRuns: 300 },
    );
  });

  test('a record dropped, doubled, moved or of another tenant [vault.audit.chain.seq]', () => {
    const last = texts.length - 1;
    for (let i = 0; i < last; i += 1) {
      expect(firstProblem(texts.toSpliced(i, 1))).toBe(`${i} seq`);
      expect(firstProblem(texts.toSpliced(i, 0, texts[i] ?? ''))).toBe(`${i + 1} seq`);
      expect(firstProblem(texts.toSpliced(i, 2, texts[i + 1] ?? '', texts[i] ?? ''))).toBe(`${i} seq`);
      const stranger = { ...(chain[i]?.record as AuditRecord), tenantId: 'tnt_b' };
      expect(firstProblem(texts.with(i, canonicalize(stranger) ?? ''))).toBe(`${i} other-tenant`);
    }
  });

  test('a record written anew by somebody with another key', () => {
    const forger = newSigner();
    const { chainHash: _h, signature: _s, ...body } = structuredClone(chain.at(4)?.record as AuditRecord);
    const forged = seal({ ...body, detail: { n: 'forged' } }, forger);
    expect(firstProblem(texts.with(4, forged.text))).toBe('4 signature');
  });

  test('the same JSON in other words: order, blanks, a doubled or unknown member', () => {
    const text = texts[3] ?? '';
    const record = JSON.parse(text) as AuditRecord;
    for (const other of [
      JSON.stringify(Object.fromEntries(Object.entries(record).reverse())),
      `${text} `,
      text.replace('"seq":4', '"seq":4,"seq":4'),
      text.replace('{', '{"a":1,'),
    ]) {
      expect(other).not.toBe(text);
      expect(firstProblem(texts.with(3, other))).toBe('3 unreadable');
    }
  });
});

/** Another value of the same kind. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return { ...(value as object), kind: 'tdx' };
  const text = value;
  if (/^\d{4}-/.test(text)) return text.replace('.0', '.1');
  return /^[0-9a-f]{64}$/.test(text) ? text.replace(/^./, (c) => (c === 'f' ? 'e' : 'f')) : swapCase(text);
}

const swapCase = (text: string): string => text.replace(/[a-z]/, (letter) => (letter === 'z' ? 'y' : 'z'));
