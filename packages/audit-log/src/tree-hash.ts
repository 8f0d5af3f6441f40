import { hash } from 'node:crypto';

/** Hashes of RFC 6962, 2.1: SHA-256 with one byte before it, so that no leaf passes for a node. */
export const leafHash = (data: string | Uint8Array): Buffer =>
  typeof data === 'string'
    ? hash('sha256', `\0${data}`, 'buffer')
    : hash('sha256', Buffer.concat([leafByte, data]), 'buffer');

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([nodeByte, left, right], 65), 'buffer');

/** The root of a tree without leaves. */
export const emptyRoot: Buffer = hash('sha256', '', 'buffer');

const leafByte = Buffer.of(0);
const nodeByte = Buffer.of(1);

/** The largest power of two that is smaller than n, for n of 2 or more: where RFC 6962 splits a tree. */
export function splitOf(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
