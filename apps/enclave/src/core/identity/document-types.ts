import { keccak256 } from '@countersign/service/ethereum/keccak';

export type Encoded = {
  /** `hashStruct` of EIP-712, 32 bytes. */
  readonly hash: Buffer;
  readonly types: Types;
};

type Field = { readonly name: string; readonly type: string };
type Types = Map<string, readonly Field[]>;
type Document = Readonly<Record<string, unknown>>;

/**
 * Hashes a JSON document as EIP-712 by types made of it: members in the order of RFC 8785, texts `string`, numbers
 * `uint256`, truth values `bool`, lists of one of these, and objects named after their member with a capital letter.
 * Null for what has no such types: null, empty or mixed lists, lists of objects, and one name for two shapes; and where
 * the types, each told with all below it, are longer than any that people sign.
 */
export function encodeDocument(document: Document, primaryType: string): Encoded | null {
  const types: Types = new Map();
  if (!collect(types, primaryType, document)) return null;
  const typeHashes = hashTypes(types);
  return typeHashes === null
    ? null
    : { hash: hashStruct({ types, typeHashes }, primaryType, document), types };
}

/**
 * Whether types that somebody else made of the same document name each of its members, and no other, and are yet not
 * those made here.
 */
export function isTypedOtherwise(
  given: unknown,
  { types }: Encoded,
  primaryType: string,
  document: Document,
) {
  if (!isObject(given) || !covers(given, primaryType, document)) return false;
  return [...types].some(([name, fields]) => spelt(given[name]) !== spelt(fields));
}

function covers(given: Document, typeName: string, document: Document): boolean {
  const fields = fieldsOf(given[typeName]);
  const names = Object.keys(document).filter((name) => document[name] !== undefined);
  if (names.length !== fields.length) return false;
  return fields.every(({ name, type }) => {
    const value = document[name];
    return names.includes(name) && (!isObject(value) || covers(given, type, value));
  });
}

const fieldsOf = (fields: unknown): readonly Field[] =>
  Array.isArray(fields) && fields.every((field) => isObject(field)) ? (fields as unknown as Field[]) : [];

const spelt = (fields: unknown): string =>
  fieldsOf(fields)
    .map(({ name, type }) => `${type} ${name}`)
    .join(',');

/** Returns whether the document and all below it could be typed. */
function collect(types: Types, typeName: string, document: Document): boolean {
  const names = Object.keys(document)
    .filter((name) => document[name] !== undefined)
    .sort();
  const fields: Field[] = [];
  for (const name of names) {
    const value = document[name];
    const type = isObject(value) ? capitalized(name) : typeOf(value);
    if (type === null || (isObject(value) && !collect(types, type, value))) return false;
    fields.push({ name, type });
  }
  const known = types.get(typeName);
  types.set(typeName, fields);
  return known === undefined || JSON.stringify(known) === JSON.stringify(fields);
}

function typeOf(value: unknown): string | null {
  if (!Array.isArray(value)) return atomicType(value);
  const kinds = new Set(value.map(atomicType));
  const [kind = null] = kinds;
  return kinds.size === 1 && kind !== null ? `${kind}[]` : null;
}

function atomicType(value: unknown): string | null {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? 'uint256' : null;
}

/** Characters of all types together: deep documents repeat theirs in each level. */
const maxTypeText = 200_000;

/** Returns the hash of each type, by name; null if the types are too long. */
function hashTypes(types: Types): ReadonlyMap<string, Uint8Array> | null {
  let length = 0;
  const hashes = new Map<string, Uint8Array>();
  for (const name of types.keys()) {
    const text = encodeType(types, name);
    length += text.length;
    if (length > maxTypeText) return null;
    hashes.set(name, keccak256(text));
  }
  return hashes;
}

type Typed = { readonly types: Types; readonly typeHashes: ReadonlyMap<string, Uint8Array> };

function hashStruct(typed: Typed, typeName: string, document: Document): Buffer {
  const fields = typed.types.get(typeName) ?? [];
  const words = fields.map(({ name, type }) => {
    const value = document[name];
    if (isObject(value)) return hashStruct(typed, type, value);
    return Array.isArray(value) ? Buffer.from(keccak256(Buffer.concat(value.map(wordOf)))) : wordOf(value);
  });
  return Buffer.from(
    keccak256(Buffer.concat([typed.typeHashes.get(typeName) ?? new Uint8Array(), ...words])),
  );
}

/** The type with all that it refers to, these by name. */
function encodeType(types: Types, typeName: string): string {
  const reached = new Set<string>();
  const reach = (name: string): void => {
    for (const { type } of types.get(name) ?? []) {
      if (!types.has(type) || reached.has(type)) continue;
      reached.add(type);
      reach(type);
    }
  };
  reach(typeName);
  reached.delete(typeName);
  return [typeName, ...[...reached].sort()].map((name) => `${name}(${spelt(types.get(name))})`).join('');
}

function wordOf(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.from(keccak256(value));
  return Buffer.from(Number(value).toString(16).padStart(64, '0'), 'hex');
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
