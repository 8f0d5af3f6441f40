import { generateKeyPairSync } from 'node:crypto';
import { firstPrevChainHash, seal, type SealedRecord } from '@countersign/audit-log/chain';
import { logIdOf, signCheckpoint } from '@countersign/audit-log/checkpoint';
import { localSigner, publicKeyText, type Signer } from '@countersign/audit-log/keys';
import { MerkleTree } from '@countersign/audit-log/merkle-tree';
import { rotationDraft } from '@countersign/audit-log/rotation';
import { auditIdOf } from '@countersign/audit-log/store/audit-id';
import { tlogProofText } from '@countersign/audit-log/tlog-proof';
import { leafHash } from '@countersign/audit-log/tree-hash';
import { expect, test } from 'vitest';
import { chainWalk, checkProof } from './check.ts';

const newSigner = (): Signer => localSigner(generateKeyPairSync('ed25519').privateKey);
const [first, second, third, forger] = [newSigner(), newSigner(), newSigner(), newSigner()];
const origin = 'log.example/audit';
const textOf = ({ publicKey }: Signer): string => publicKeyText(publicKey);

/** A log of one account: a record under each key, and between them those by which it goes over to the next. */
function logOf(...signers: readonly Signer[]) {
  const records: SealedRecord[] = [];
  const write = (draft: object, signer: Signer) => {
    const seq = records.length + 1;
    const body = {
      tenantId: 'acme',
      eventType: 'credential_access',
      actor: 'user:ada',
      detail: {},
      ...draft,
      auditId: auditIdOf(logIdOf(origin), seq - 1),
      seq,
      leafIndex: seq - 1,
      at: '2026-11-25T10:00:00.000Z',
      tee: { kind: 'simulated', trust: 'simulated' } as const,
      prevChainHash: records.at(-1)?.record.chainHash ?? firstPrevChainHash,
    };
    records.push(seal(body, signer));
  };
  for (const [n, signer] of signers.entries()) {
    const before = signers[n - 1];
    if (before !== undefined) write(rotationDraft('acme', logIdOf(origin), before, signer), signer);
    write({ detail: { n } }, signer);
  }
  const tree = new MerkleTree();
  for (const { text } of records) tree.append(leafHash(text));
  return {
    records,
    /** Newest first, as the vault lists them. */
    rotations: records
      .map(({ record }) => record)
      .filter(({ eventType }) => eventType === 'signer_rotated')
      .toReversed(),
    proof: (index: number, by: Signer) =>
      tlogProofText({
        extra: Buffer.from(records[index]?.text ?? ''),
        index,
        path: tree.inclusionProof(index),
        checkpoint: signCheckpoint({ origin, size: tree.size, root: tree.root() }, by),
      }),
  };
}

test.each([
  ['the first key', first],
  ['a key in the middle', second],
  ['the newest key', third],
])(
  'records from before and after changes of the key are genuine to whoever pinned %s [vault.console.verify-here.rotated]',
  (_, pinned) => {
    const { proof, rotations, records } = logOf(first, second, third);
    for (const index of records.keys()) {
      const found = checkProof(proof(index, third), textOf(pinned), rotations);
      expect(found).toMatchObject({ tenantId: 'acme', text: records[index]?.text });
      expect('keys' in found && found.keys.at(-1)).toBe(textOf(third));
    }
  },
);

test('which key signed is told, and only the pinned key and later ones are to be believed', () => {
  const { proof, rotations } = logOf(first, second, third);
  const keys = [textOf(second), textOf(third)];
  expect(checkProof(proof(0, third), textOf(second), rotations)).toMatchObject({ keys, byPinned: false });
  expect(checkProof(proof(2, third), textOf(second), rotations)).toMatchObject({ keys, byPinned: true });
});

test('a checkpoint by a key that the pinned one replaced is not believed', () => {
  const { proof, rotations } = logOf(first, second);
  expect(checkProof(proof(0, first), textOf(second), rotations)).toEqual({
    fails: ['the checkpoint is signed by a key that the pinned key replaced'],
  });
});

test('a key that nobody endorsed, or that endorsed itself, stays another key [vault.console.verify-here.forged]', () => {
  const own = logOf(forger);
  expect(checkProof(own.proof(0, forger), textOf(first), [])).toHaveProperty('fails');
  // The forger names the pinned key as the one before his, or after it, without its signature.
  const { proof, rotations } = logOf(forger, second);
  expect(checkProof(proof(0, forger), textOf(second), rotations)).toHaveProperty('fails');
  const claimed = rotations.map((record) => ({
    ...record,
    detail: { ...record.detail, previousKey: textOf(first) },
  }));
  expect(checkProof(proof(1, second), textOf(first), claimed)).toHaveProperty('fails');
});

test('what no vault would list is no rotation and no error', () => {
  const { proof, records } = logOf(first);
  const odd = { ...records[0]?.record, eventType: 'signer_rotated', detail: { key: '\ud800' } } as never;
  expect(checkProof(proof(0, first), textOf(first), [odd])).toHaveProperty('byPinned', true);
});

test('a chain is walked to the record and no further; a gap before it is told [vault.console.verify-here.forged]', () => {
  const { records } = logOf(first, second, third);
  const texts = records.map(({ text }) => text);
  const walked = (lines: readonly string[]) => {
    const walk = chainWalk(texts[2] ?? '');
    const read = lines.findIndex((line) => walk.isEnough(line));
    return [read, walk.problem()];
  };
  expect(walked(texts)).toEqual([2, null]);
  expect(walked(texts.slice(1))).toEqual([0, 'record 2 does not follow from the one before it']);
  expect(walked(texts.toSpliced(1, 1))).toEqual([1, 'record 3 does not follow from the one before it']);
  const absent = 'the record is not in the chain that the vault exports';
  expect(walked([...texts.slice(0, 2), 'nothing'])).toEqual([2, absent]);
  expect(walked(texts.slice(0, 2))).toEqual([-1, absent]);
});
