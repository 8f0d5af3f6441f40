import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { Database } from 'lmdb';
import { bytesOf, withoutContent } from '../calls/kept.ts';

/** `forgetAt` is Unix ms. */
export type StoredCall = {
  readonly callHash: string;
  readonly envelope: GatewayEnvelope;
  /** Size of the envelope; absent in entries of older gateways. */
  readonly bytes?: number;
  readonly forgetAt: number;
};

/** Keeps an answer, and counts it. Inside a write transaction. */
export function keep(db: Database, key: string, stored: StoredCall): void {
  uncount(db, key);
  const bytes = bytesOf(stored.envelope);
  void db.put(['call', key], { ...stored, bytes } satisfies StoredCall);
  void db.put('kept-bytes', keptBytes(db) + bytes);
  void db.put(['forget', stored.forgetAt, 'call', key], true);
}

const keptBytes = (db: Database): number => (db.get('kept-bytes') as number | undefined) ?? 0;

/** To be called before a kept answer goes. Inside a write transaction. */
export function uncount(db: Database, key: string): void {
  const { bytes = 0 } = (db.get(['call', key]) as StoredCall | undefined) ?? {};
  if (bytes > 0) void db.put('kept-bytes', keptBytes(db) - bytes);
}

/** Lets the content of at most `limit` answers go, of those that are forgotten soonest, while all are too large. */
export function makeRoom(db: Database, limit: number, maxBytes: number): void {
  if (keptBytes(db) <= maxBytes) return;
  const soonest = Array.from(db.getKeys({ start: ['forget', 0], end: ['forget', Number.MAX_SAFE_INTEGER] }));
  let left = limit;
  for (const [, at, kind, key] of soonest as [string, number, string, string][]) {
    if (left === 0 || keptBytes(db) <= maxBytes) return;
    if (kind !== 'call') continue;
    const stored = db.get(['call', key]) as StoredCall | undefined;
    if (stored?.forgetAt !== at || stored.envelope.detail?.downstreamContent == null) continue;
    keep(db, key, { ...stored, envelope: withoutContent(stored.envelope) });
    left -= 1;
  }
}
