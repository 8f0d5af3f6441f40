/** One tag-length-value item of DER (X.690). */
export type DerItem = { readonly tag: number; readonly value: Buffer; readonly whole: Buffer };

/** The items that fill these bytes one after the other; null when they are none. */
export function derItems(bytes: Buffer): readonly DerItem[] | null {
  const items: DerItem[] = [];
  for (let at = 0; at < bytes.length; ) {
    const item = derItem(bytes.subarray(at));
    if (item === null) return null;
    items.push(item);
    at += item.whole.length;
  }
  return items;
}

function derItem(bytes: Buffer): DerItem | null {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || lengthBytes > 4 || bytes.length < 2 + lengthBytes) return null;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  const start = 2 + lengthBytes;
  if (length > bytes.length - start) return null;
  return { tag, value: bytes.subarray(start, start + length), whole: bytes.subarray(0, start + length) };
}

/** Returns the items inside a constructed item; empty for any other. */
export const itemsIn = (item: DerItem | undefined): readonly DerItem[] =>
  (item === undefined ? null : derItems(item.value)) ?? [];

const contextThree = 0xa3;

/** The extensions of an X.509 certificate: values by the hex of their object identifier. */
export function extensionsOf(certificate: Buffer): ReadonlyMap<string, Buffer> {
  const body = itemsIn(itemsIn(derItems(certificate)?.[0])[0]);
  const [list] = itemsIn(body.find(({ tag }) => tag === contextThree));
  return new Map(
    itemsIn(list).flatMap((extension): [string, Buffer][] => {
      const parts = itemsIn(extension);
      const [id, content] = [parts[0], parts.at(-1)];
      return id === undefined || content === undefined ? [] : [[id.value.toString('hex'), content.value]];
    }),
  );
}
