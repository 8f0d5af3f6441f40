import { canonicalText, firstPrevChainHash, seal } from '@countersign/audit-log/chain';
import { type ProofBundle, signBundle } from '@countersign/audit-log/proof-bundle';
import { signTenantHead } from '@countersign/audit-log/tenant-head';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { Files } from './a-log.ts';

export type Tampering = readonly [name: string, verdict: string, text: string | Buffer];

/** Files that somebody has changed, with what a verifier has to say of each by the log's key of now. */
export const tamperings = (files: Files): readonly Tampering[] => [
  ...ofLines(files),
  ...ofTheEnd(files),
  ...ofSpelling(files),
  ...ofBundles(files),
  ...ofProofs(files),
];

const linesOf = (text: string): string[] => text.trimEnd().split('\n');
const written = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

function ofLines(files: Files): Tampering[] {
  const lines = linesOf(files.export);
  const swapped = lines.toSpliced(1, 2, lines[2] ?? '', lines[1] ?? '');
  return [
    ['no byte', 'incomplete', ''],
    ['the first record is missing', 'bad', written(lines.slice(1))],
    ['a record is missing', 'bad', written(lines.toSpliced(2, 1))],
    ['the newest record is missing', 'bad', written(lines.toSpliced(-2, 1))],
    ['a record stands twice', 'bad', written(lines.toSpliced(2, 0, lines[2] ?? ''))],
    ['two records changed places', 'bad', written(swapped)],
    [
      'the change of the key is missing',
      'bad',
      written(lines.filter((line) => !line.includes('signer_rotated'))),
    ],
    ['the last line is missing', 'incomplete', written(lines.slice(0, -1))],
    ['the last line stands twice', 'bad', written([...lines, lines.at(-1) ?? ''])],
    ['the last line is cut', 'bad', files.export.slice(0, -40)],
    ['the last line does not end', 'good', files.export.trimEnd()],
    ['an empty line at the end', 'bad', `${files.export}\n`],
    ['a byte order mark', 'bad', `\uFEFF${files.export}`],
    ['no UTF-8', 'bad', Buffer.from(files.export.replace('nightly', 'nightl\u00ff'), 'latin1')],
  ];
}

/** The last line with other members. The log's key signs it anew: such a log is what the page does not trust. */
function ended(files: Files, about: Record<string, unknown>, records = linesOf(files.export).slice(0, -1)) {
  const last = { ...(JSON.parse(linesOf(files.export).at(-1) ?? '') as Record<string, unknown>), ...about };
  const { checkpoint, attestation } = last as { checkpoint: string; attestation: unknown };
  const newest = JSON.parse(records.at(-1) ?? '') as AuditRecord;
  const { tenantId, seq, chainHash, at } = newest;
  const tenantHead = signTenantHead(
    { tenantId, seq, chainHash, at },
    { checkpoint, attestation },
    files.signer,
  );
  return written([...records, JSON.stringify({ ...last, tenantHead })]);
}

function ofTheEnd(files: Files): Tampering[] {
  const last = JSON.parse(linesOf(files.export).at(-1) ?? '');
  const records = linesOf(files.export).slice(0, -1);
  const anchor = (about: object) => ended(files, { anchor: { ...last.anchor, ...about } });
  const shorter = JSON.stringify({ ...last, inclusion: last.inclusion.slice(1) });
  return [
    ['signed anew, as it was', 'good', ended(files, {})],
    [
      'records written anew beside the genuine checkpoint',
      'bad',
      ended(files, {}, rewritten(files, records)),
    ],
    ['an older checkpoint', 'bad', ended(files, { checkpoint: files.olderCheckpoint })],
    ['no inclusion', 'bad', ended(files, { inclusion: undefined })],
    ['no anchor', 'bad', ended(files, { anchor: undefined })],
    ['neither, signed as now', 'bad', ended(files, { inclusion: undefined, anchor: undefined })],
    ['an inclusion with a hash less', 'bad', written([...records, shorter])],
    ['an anchor that is null', 'good', ended(files, { anchor: null })],
    [
      'an anchor with another spelling of hex',
      'good',
      anchor({ root: last.anchor.root.toUpperCase().replace('X', 'x') }),
    ],
    ['an anchor of another root', 'bad', anchor({ root: `0x${'0'.repeat(64)}` })],
    ['an anchor of another log', 'bad', anchor({ logId: `0x${'0'.repeat(64)}` })],
    ['an anchor of no size', 'bad', anchor({ size: 0 })],
    ['an anchor of a larger tree', 'bad', anchor({ size: 99 })],
    ['an anchor with a flag too many', 'bad', anchor({ flags: 256 })],
    ['an anchor without a chain', 'bad', anchor({ chainId: 0 })],
    ['no report', 'good', ended(files, { attestation: null })],
    ['a report of another key', 'bad', ended(files, { attestation: { ...last.attestation, nonce: 'x' } })],
    ['an unknown member', 'bad', ended(files, { more: 1 })],
    ['a member twice', 'bad', files.export.replace('"inclusion":', '"anchor":null,"inclusion":')],
    [
      'a report nested beyond reading',
      'bad',
      files.export.replace('"measurements":{', `"measurements":{"x":${nested(30_000)},`),
    ],
  ];
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** The newest record says something else; the log's own key has signed it. */
function rewritten({ signer }: Files, records: readonly string[]): string[] {
  const { chainHash: _, signature: __, ...body } = JSON.parse(records.at(-1) ?? '') as AuditRecord;
  return [...records.slice(0, -1), seal({ ...body, detail: { reason: 'another' } }, signer).text];
}

function ofSpelling({ export: text }: Files): Tampering[] {
  return [
    ['a record with a blank', 'bad', text.replace('{"actor":', '{ "actor":')],
    ['a record with an escaped letter', 'bad', text.replace('"user:usr_1"', '"\\u0075ser:usr_1"')],
    ['a record with another spelling of a number', 'bad', text.replace('"seq":1,', '"seq":1.0,')],
    ['a record with a number that is no double', 'bad', text.replace('"seq":1,', '"seq":1e999,')],
    [
      'a record with a number longer than a double',
      'bad',
      text.replace('"exact":0.1', '"exact":0.10000000000000001'),
    ],
    ['a record with a huge number', 'bad', text.replace('"large":1e+21', '"large":1000000000000000000000')],
    ['a record with a member twice', 'bad', text.replace('{"actor":', '{"actor":"user:usr_1","actor":')],
    ['a record with a lone surrogate', 'bad', text.replace('nightly', '\\ud800')],
    ['a record with __proto__', 'bad', text.replace('"detail":{', '"detail":{"__proto__":1,')],
    ['a signature in base64 without padding', 'bad', text.replace('==","tee"', '","tee"')],
    ['a signature in base64 for URLs', 'bad', text.replace(/[+/](?=[\w+/]*==","tee")/, '-')],
    ['the end with another spelling of a number', 'good', text.replace(/"size":(\d+)/, '"size":$1.0e0')],
    ['the end with escapes', 'good', text.replace('"tdx","hardware":true', '"td\\u0078" , "hardware":true')],
  ];
}

/** A bundle with other members, signed anew by the log's key. */
const bundled = (
  { bundle, signer }: Files,
  change: (bundle: ProofBundle) => Partial<ProofBundle>,
): string => {
  const { signature: _, ...own } = JSON.parse(bundle) as ProofBundle;
  return signBundle({ ...own, ...change(JSON.parse(bundle) as ProofBundle) }, signer);
};

function ofBundles(files: Files): Tampering[] {
  const { bundle } = files;
  const value = JSON.parse(bundle) as ProofBundle;
  const { checkpoint, ...rest } = value;
  const ascii = bundle.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const doubled = (records: ProofBundle['records']) => [...records.slice(0, 1), ...records];
  return [
    ['a bundle with blanks', 'good', JSON.stringify(value, null, 2)],
    ['a bundle in another order', 'good', JSON.stringify({ checkpoint, ...rest })],
    ['a bundle in ASCII', 'good', ascii.replaceAll('/', '\\/')],
    ['a bundle with other numbers', 'good', bundle.replaceAll(/"seq":(\d+)/g, '"seq":$1.0')],
    ['a bundle with a member twice', 'bad', bundle.replace('"format":', '"format":"x","format":')],
    [
      'a bundle with a member twice, escaped',
      'bad',
      bundle.replace('"format":', '"\\u0066ormat":"x","format":'),
    ],
    ['a bundle with more after it', 'bad', `${bundle}{}`],
    ['a bundle of another format', 'bad', bundle.replace('bundle-v1', 'bundle-v2')],
    ['a bundle signed anew', 'good', bundled(files, () => ({}))],
    ['a bundle of nothing', 'bad', bundled(files, () => ({ records: [] }))],
    ['a bundle in reverse', 'bad', bundled(files, ({ records }) => ({ records: records.toReversed() }))],
    ['a bundle with a record twice', 'bad', bundled(files, ({ records }) => ({ records: doubled(records) }))],
    [
      'a bundle with an older checkpoint',
      'bad',
      bundled(files, () => ({ checkpoint: files.olderCheckpoint })),
    ],
    ['a bundle without a report', 'good', bundled(files, () => ({ attestation: null }))],
    [
      'a bundle without its newest record',
      'good',
      bundled(files, ({ records }) => ({ records: records.slice(0, -1) })),
    ],
    [
      'a bundle without an inclusion',
      'bad',
      bundled(files, ({ records: [one, ...more] }) => ({
        records: one === undefined ? [] : [{ ...one, inclusion: [] }, ...more],
      })),
    ],
  ];
}

function ofProofs({ proof, olderCheckpoint, signer }: Files): Tampering[] {
  const [head, checkpoint = ''] = proof.split(/(?<=\n\n)/, 1).concat(proof.slice(proof.indexOf('\n\n') + 2));
  const [, extra = '', index = ''] = proof.split('\n');
  const own = JSON.parse(Buffer.from(extra.slice('extra '.length), 'base64').toString()) as AuditRecord;
  const { chainHash: _, signature: __, ...body } = own;
  const other = seal({ ...body, prevChainHash: firstPrevChainHash }, signer).text;
  const forged = canonicalText({ ...own, signature: Buffer.alloc(64).toString('base64') });
  const holding = (text: string) => proof.replace(extra, `extra ${Buffer.from(text).toString('base64')}`);
  return [
    ['a proof of another version', 'bad', proof.replace('@v1', '@v2')],
    ['a proof with another index', 'bad', proof.replace(index, 'index 0')],
    ['a proof with another spelling of the index', 'bad', proof.replace('index ', 'index 0')],
    ['a proof with a hash less', 'bad', proof.replace(/(index \d+\n)[^\n]+\n/, '$1')],
    ['a proof with the end of a line of Windows', 'bad', proof.replaceAll('\n', '\r\n')],
    ['a proof without its last newline', 'bad', proof.trimEnd()],
    ['a proof with an older checkpoint', 'bad', `${head}${olderCheckpoint}`],
    [
      'a proof with another witness',
      'good',
      `${proof}— witness.example/w ${Buffer.alloc(68).toString('base64')}\n`,
    ],
    [
      'a proof with 80 witnesses',
      'bad',
      proof + `— witness.example/w ${Buffer.alloc(68).toString('base64')}\n`.repeat(80),
    ],
    [
      'a proof whose checkpoint is signed twice',
      'good',
      `${proof}${checkpoint.slice(checkpoint.indexOf('\u2014'))}`,
    ],
    ['a proof with no UTF-8 in the name of a witness', 'bad', Buffer.concat([Buffer.from(proof), notUtf8])],
    ['a proof of another record', 'bad', holding(other)],
    ['a proof of a record with another signature', 'bad', holding(forged)],
    ['a proof in base64 for URLs', 'bad', proof.replace(/^extra (.*?)[A-Z]/m, 'extra $1-')],
  ];
}

const notUtf8 = Buffer.from(
  `â\x80\x94 witness.exampl\xff ${Buffer.alloc(68).toString('base64')}\n`,
  'latin1',
);
