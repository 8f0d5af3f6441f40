/** The id of a record: the log's first letters and the record's place, so that no index is needed to find it. */
export const auditIdOf = (logId: Buffer, leaf: number | ''): string =>
  `aud_${logId.toString('hex', 0, 4)}_${leaf}`;

/** Returns the leaf index that an audit id encodes; null if it is not an id of this log. */
export function leafOfAuditId(logId: Buffer, auditId: string): number | null {
  const leaf = Number(/^aud_[0-9a-f]{8}_(\d{1,15})$/.exec(auditId)?.[1] ?? Number.NaN);
  return auditIdOf(logId, leaf) === auditId ? leaf : null;
}
