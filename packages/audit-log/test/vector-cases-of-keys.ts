import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { firstPrevChainHash, type SealedRecord, seal } from '../src/chain.ts';
import { checkpointText, logIdOf, signCheckpoint } from '../src/checkpoint.ts';
import { publicKeyText, type Signer } from '../src/keys.ts';
import { MerkleTree } from '../src/merkle-tree.ts';
import { type ProofBundle, signBundle } from '../src/proof-bundle.ts';
import { rotationDraft } from '../src/rotation.ts';
import { noteKey } from '../src/signed-note.ts';
import { signTenantHead } from '../src/tenant-head.ts';
import { tlogProofText } from '../src/tlog-proof.ts';
import { leafHash } from '../src/tree-hash.ts';
import { origin } from './open-logs.ts';

type Row = readonly [
  name: string,
  verdict: 'good' | 'bad' | 'incomplete',
  file: string,
  by: readonly Signer[],
];
type Signers = readonly [a: Signer, b: Signer, c: Signer, d: Signer];

/** Changes of the key that are none, checkpoints that one of two keys signed wrongly, and files that nobody has a key for. */
export const casesOfKeys = (signers: Signers): readonly Row[] => [
  ...ofRotations(signers),
  ...withoutKey(signers),
  ...ofProofs(signers),
  ...ofBundles(signers),
];

type Entry = { readonly by: Signer; readonly eventType?: string; readonly detail?: object };

const at = '2026-11-21T10:00:00.000Z';
const plain = (by: Signer): Entry => ({ by });

const change = (from: Signer, to: Signer, by: Signer, about: object = {}): Entry => {
  const { eventType, detail } = rotationDraft('tnt_a', logIdOf(origin), from, to);
  return { by, eventType, detail: { ...detail, ...about } };
};

/** One tenant's chain, which is the whole log. */
function chainOf(entries: readonly Entry[]) {
  const tree = new MerkleTree();
  const records: SealedRecord[] = [];
  for (const [index, { by, eventType = 'session_initiated', detail = {} }] of entries.entries()) {
    const body = {
      auditId: `aud_${logIdOf(origin).toString('hex', 0, 4)}_${index}`,
      seq: index + 1,
      leafIndex: index,
      eventType,
      tenantId: 'tnt_a',
      actor: 'user:usr_1',
      detail,
      at,
      tee: { kind: 'tdx', trust: 'hardware' },
      prevChainHash: records.at(-1)?.record.chainHash ?? firstPrevChainHash,
    } as const;
    records.push(seal(body as Omit<AuditRecord, 'chainHash' | 'signature'>, by));
    tree.append(leafHash(records.at(-1)?.text ?? ''));
  }
  return { records, tree, head: { origin, size: tree.size, root: tree.root() } };
}

const pathOf = (tree: MerkleTree, index: number): string[] =>
  tree.inclusionProof(index).map((hash) => hash.toString('hex'));

function exportOf(entries: readonly Entry[], by: Signer, about: object = {}, newest: object = {}): string {
  const { records, tree, head } = chainOf(entries);
  const said = { checkpoint: signCheckpoint(head, by), attestation: null };
  const { tenantId = '', seq = 0, chainHash = '' } = records.at(-1)?.record ?? {};
  const tenantHead = signTenantHead({ tenantId, seq, chainHash, at, ...newest }, said, by);
  const end = { ...said, tenantHead, inclusion: pathOf(tree, tree.size - 1), anchor: null, ...about };
  return [...records.map(({ text }) => text), JSON.stringify(end), ''].join('\n');
}

function bundleOf(entries: readonly Entry[], by: Signer, about: Partial<ProofBundle> = {}): string {
  const { records, tree, head } = chainOf(entries);
  const bundled = records.map(({ record }, index) => ({ record, inclusion: pathOf(tree, index) }));
  const checkpoint = signCheckpoint(head, by);
  const format = 'countersign-proof-bundle-v1';
  return signBundle({ format, records: bundled, checkpoint, anchor: null, attestation: null, ...about }, by);
}

const zeros = Buffer.alloc(64).toString('base64');

function ofRotations([a, b, c, d]: Signers): readonly Row[] {
  const nothing = (by: Signer): Entry => ({ by, eventType: 'signer_rotated' });
  const real = change(a, b, b);
  return [
    ['an export over a change of the key', 'good', exportOf([plain(a), real, plain(b)], b), [a]],
    ['a change of the key that names none', 'bad', exportOf([plain(a), nothing(a), plain(a)], a), [a]],
    [
      'a change of the key that the old key does not endorse, and the old one goes on',
      'bad',
      exportOf([plain(a), change(a, b, a, { endorsement: zeros }), plain(a)], a),
      [a],
    ],
    [
      'changes of the key that do not follow each other',
      'bad',
      exportOf([plain(a), change(a, b, a), change(c, d, a), plain(a)], a),
      [a],
    ],
    ['a change of the key, and one that names none', 'bad', exportOf([plain(a), real, nothing(b)], b), [a]],
  ];
}

function withoutKey([a]: Signers): readonly Row[] {
  const two = [plain(a), plain(a)];
  const ended: Entry = { by: a, eventType: 'execution_ended' };
  const wrong = ['0'.repeat(64)];
  const { records } = chainOf(two);
  const misplaced = records.map(({ record }) => ({ record, inclusion: wrong }));
  const bogus = { by: a, eventType: 'signer_rotated' };
  const row = (name: string, verdict: Row[1], file: string): Row => [name, verdict, file, []];
  return [
    row('no key: an export', 'incomplete', exportOf(two, a)),
    row('no key: an export with another inclusion', 'bad', exportOf(two, a, { inclusion: wrong })),
    row('no key: an export whose newest records are missing', 'bad', exportOf(two, a, {}, { seq: 9 })),
    row('no key: an ended execution without a receipt', 'bad', exportOf([plain(a), ended], a)),
    row(
      'no key: an export without the member attestation',
      'bad',
      exportOf(two, a, { attestation: undefined }),
    ),
    row('no key: a checkpoint that is none', 'bad', exportOf(two, a, { checkpoint: 'none' })),
    row('no key: a bundle', 'incomplete', bundleOf(two, a)),
    row('no key: a bundle with other inclusions', 'bad', bundleOf(two, a, { records: misplaced })),
    row(
      'no key: a signature that is no base64',
      'bad',
      bundleOf(two, a).replace(/"signature":"[^"]*"}$/, '"signature":"x"}'),
    ),
    row('no key: a proof', 'incomplete', proofOf(chainOf([plain(a)]), a)),
    row('no key: a proof of a change of the key that names none', 'bad', proofOf(chainOf([bogus]), a)),
  ];
}

type Chain = Pick<ReturnType<typeof chainOf>, 'head' | 'tree'> & {
  readonly records: readonly { text: string | Buffer }[];
};

const proofOf = ({ records, tree, head }: Chain, by: Signer, more = ''): string =>
  tlogProofText({
    extra: Buffer.from(records[0]?.text ?? ''),
    index: 0,
    path: tree.inclusionProof(0),
    checkpoint: signCheckpoint(head, by) + more,
  });

function ofProofs([a, b]: Signers): readonly Row[] {
  const chain = chainOf([plain(a)]);
  const line = (key: Signer, signature: Uint8Array) =>
    `— ${origin} ${Buffer.concat([Buffer.from(noteKey(origin, key.publicKey).keyId, 'hex'), signature]).toString('base64')}\n`;
  const signed = b.sign(Buffer.from(checkpointText(chain.head)));
  const both = [a, b];
  // A byte that is no UTF-8, where the text of the record has the character that such bytes are read as.
  const said = chainOf([{ by: a, detail: { note: '�' } }]).records[0]?.text ?? '';
  const leaf = Buffer.from(said.replace('�', '\xff'), 'latin1');
  const tree = new MerkleTree();
  tree.append(leafHash(leaf));
  const unreadable = { records: [{ text: leaf }], tree, head: { origin, size: 1, root: tree.root() } };
  const foreign = proofOf(chain, a).replace(/^extra .*\n/m, '');
  return [
    ['a checkpoint that two keys signed', 'good', proofOf(chain, a, line(b, signed)), both],
    [
      'a checkpoint that the second key signed wrongly',
      'bad',
      proofOf(chain, a, line(b, Buffer.alloc(64))),
      both,
    ],
    [
      'the same, of which the second key is nobody’s',
      'good',
      proofOf(chain, a, line(b, Buffer.alloc(64))),
      [a],
    ],
    ['a leaf that is no UTF-8', 'incomplete', proofOf(unreadable, a), [a]],
    ['a proof of something else', 'incomplete', foreign, [a]],
    ['an index that no double holds', 'bad', foreign.replace('index 0', `index ${2 ** 53}`), [a]],
  ];
}

/** A bundle is known by its member `format` alone, wherever it stands. */
function ofBundles([a]: Signers): readonly Row[] {
  const bundle = bundleOf([plain(a)], a);
  return [
    ['a bundle after 100 blanks', 'good', ' \n'.repeat(50) + bundle, [a]],
    [
      'a bundle whose first member is spelled with escapes',
      'good',
      bundle.replace('"anchor"', '"\\u0061nchor"'),
      [a],
    ],
    ['a bundle with 100 blanks within', 'good', bundle.replace('{', `{${' '.repeat(100)}`), [a]],
    ['two bundles', 'bad', `${bundle}\n${bundle}`, [a]],
  ];
}

export const keysOf = (signers: readonly Signer[]): readonly string[] =>
  signers.map(({ publicKey }) => publicKeyText(publicKey));
