import type { MerkleTree } from './merkle-tree.ts';

/** Hashes in a full tile, entries in a full bundle (c2sp.org/tlog-tiles). */
const tileWidth = 256;

/** A part of the log that never changes once it is there. `width` is 256 but for the last one. */
export type Tile = {
  readonly level: number | 'entries';
  readonly n: number;
  readonly width: number;
};

/** Path of a tile below the log's prefix: `tile/0/x001/x234/067`, `tile/entries/000.p/15`. */
export function tilePath({ level, n, width }: Tile): string {
  const digits = String(n);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const name = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${name}${width === tileWidth ? '' : `.p/${width}`}`;
}

/** Reads what `tilePath` gives, in exactly its spelling; null for anything else. */
export function readTilePath(path: string): Tile | null {
  const parts = tileParts.exec(path)?.groups;
  if (parts === undefined) return null;
  const { level = '', name = '', width = tileWidth } = parts;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    n: Number(name.replaceAll(/[x/]/g, '')),
    width: Number(width),
  };
  return Number.isSafeInteger(tile.n) && tilePath(tile) === path ? tile : null;
}

/** Levels go from 0 to 63, widths of partial tiles from 1 to 255. */
const tileParts =
  /^tile\/(?<level>entries|[0-5]?\d|6[0-3])\/(?<name>(?:x\d{3}\/)*\d{3})(?:\.p\/(?<width>[1-9]\d{0,2}))?$/;

/** Returns whether a log of this size has the tile. */
export function hasTile(size: number, { level, n, width }: Tile): boolean {
  const hashes = Math.floor(size / tileWidth ** (level === 'entries' ? 0 : level));
  return n * tileWidth + width <= hashes;
}

/** The hashes of a tile that `hasTile` has found, one after another. */
export const hashTile = (tree: MerkleTree, level: number, n: number, width: number): Buffer =>
  tree.hashesAt(level * 8, n * tileWidth, width);

/** Entries as a bundle holds them: two bytes of length, big-endian, before each. */
export const entryBundle = (entries: readonly Uint8Array[]): Buffer =>
  Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
