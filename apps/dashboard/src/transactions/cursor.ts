/** A record's place in the log, which is ordered by time and then by id. */
export type Cursor = { readonly createdAt: Date; readonly id: number };

/** The cursor as opaque text. */
export const formatCursor = ({ createdAt, id }: Cursor): string =>
  `${createdAt.getTime().toString(36)}-${id.toString(36)}`;

/** Null for what `formatCursor` never gives. */
export function parseCursor(text: string): Cursor | null {
  const [, time = '', id = ''] = /^(-?[0-9a-z]{1,10})-([0-9a-z]{1,11})$/.exec(text) ?? [];
  const cursor = { createdAt: new Date(Number.parseInt(time, 36)), id: Number.parseInt(id, 36) };
  const isReal = !Number.isNaN(cursor.createdAt.getTime()) && Number.isSafeInteger(cursor.id);
  return isReal && formatCursor(cursor) === text ? cursor : null;
}
