import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as reference from '../test/reference-tree.ts';
import { MerkleTree } from './merkle-tree.ts';
import { entryBundle, hashTile, hasTile, readTilePath, tilePath } from './tiles.ts';
import { leafHash } from './tree-hash.ts';

describe('paths of tiles', () => {
  test.each([
    ['tile/0/x001/x234/067', { level: 0, n: 1_234_067, width: 256 }],
    ['tile/63/000', { level: 63, n: 0, width: 256 }],
    ['tile/entries/000.p/15', { level: 'entries', n: 0, width: 15 }],
  ] as const)('%s', (path, tile) => {
    expect(tilePath(tile)).toBe(path);
    expect(readTilePath(path)).toEqual(tile);
  });

  test('are read as they are written', () => {
    const level = fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 }));
    const tile = fc.record({ level, n: fc.maxSafeNat(), width: fc.integer({ min: 1, max: 256 }) });
    fc.assert(
      fc.property(tile, (tile) => {
        expect(readTilePath(tilePath(tile))).toEqual(tile);
      }),
    );
  });

  test.each([
    'tile/64/000',
    'tile/00/000',
    'tile/0/x000/001',
    'tile/0/0',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/07',
    'tile/0/x001',
    'tile/data/000',
    '/tile/0/000',
  ])('%s is none', (path) => {
    expect(readTilePath(path)).toBeNull();
  });
});

test('a log of 70,000 entries has the tiles that the specification counts for it', () => {
  const widthOf = (level: number, n: number) =>
    Array.from({ length: 257 }, (_, width) => width)
      .filter((width) => width > 0 && hasTile(70_000, { level, n, width }))
      .at(-1);
  expect([widthOf(0, 272), widthOf(0, 273), widthOf(0, 274)]).toEqual([256, 112, undefined]);
  expect([widthOf(1, 0), widthOf(1, 1), widthOf(2, 0), widthOf(3, 0)]).toEqual([256, 17, 1, undefined]);
});

test('tiles hold the hashes of complete subtrees', () => {
  const leaves = Array.from({ length: 700 }, (_, i) => Buffer.from(`leaf ${i}`));
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.append(leafHash(leaf));

  expect(hashTile(tree, 0, 2, 188)).toEqual(Buffer.concat(leaves.slice(512).map(leafHash)));
  const parents = [leaves.slice(0, 256), leaves.slice(256, 512)].map(reference.mth);
  expect(hashTile(tree, 1, 0, 2)).toEqual(Buffer.concat(parents));
});

test('a bundle has the length of each entry before it', () => {
  const bundle = entryBundle([Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(65_535, 'x')]);
  expect(bundle.subarray(0, 9).toString('hex')).toBe('00036f6e650000ffff');
  expect(bundle.length).toBe(7 + 2 + 65_535);
});
