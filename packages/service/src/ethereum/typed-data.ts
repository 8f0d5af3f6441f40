import { keccak256 } from './keccak.ts';

/** Types of EIP-712 that our messages use: four atomic kinds, and lists of texts. */
type Kind = 'string' | 'address' | 'bytes32' | 'uint256' | 'string[]';
export type Value = string | bigint | readonly string[];
export type Field = { readonly name: string; readonly type: Kind };
/** A field that is a flat struct of its own. */
type Nested = { readonly name: string; readonly type: string; readonly fields: readonly Field[] };
type Message = Readonly<Record<string, Value | Readonly<Record<string, Value>>>>;
export type Domain = {
  readonly name: string;
  /** Absent where the contract has none. */
  readonly version?: string;
  /** Absent where nothing on a chain follows from the message. */
  readonly chainId?: number;
  readonly verifyingContract?: string;
};

/**
 * A function that hashes messages of one struct for `signTypedData` (EIP-712, "hashStruct"). The type hash is computed once.
 * Values: strings for `string` and `address`, hex for `bytes32`, bigint for `uint256`, a list of strings for `string[]`; of a
 * struct within it, its values by name.
 */
export function typedDataHasher(primaryType: string, fields: readonly (Field | Nested)[]) {
  const nested = fields.filter((field) => 'fields' in field);
  const texts = nested.map(({ type, fields: inner }) => typeText(type, inner)).toSorted();
  const hash = structHasher(`${typeText(primaryType, fields)}${texts.join('')}`, fields.map(hashed));
  const within = nested.map(
    ({ name, type, fields: inner }) => [name, structHasher(typeText(type, inner), inner)] as const,
  );
  return (domain: Domain, message: Message): Uint8Array => {
    const hashes = within.map(([name, inner]) => [
      name,
      `0x${inner(message[name] as Readonly<Record<string, Value>>).toString('hex')}`,
    ]);
    const flat = { ...message, ...Object.fromEntries(hashes) } as Readonly<Record<string, Value>>;
    return keccak256(Buffer.concat([prefix, domainSeparator(domain), hash(flat)]));
  };
}

const typeText = (name: string, fields: readonly (Field | Nested)[]): string =>
  `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;

/** A struct stands in another one by its hash. */
const hashed = (field: Field | Nested): Field =>
  'fields' in field ? { name: field.name, type: 'bytes32' } : field;

function structHasher(type: string, fields: readonly Field[]) {
  const typeHash = keccak256(type);
  return (message: Readonly<Record<string, Value>>): Buffer => {
    const struct = Buffer.alloc(32 * (fields.length + 1));
    struct.set(typeHash, 0);
    fields.forEach(({ name, type: kind }, index) => writeWord(struct, 32 * (index + 1), kind, message[name]));
    return Buffer.from(keccak256(struct));
  };
}

const prefix = Buffer.from([0x19, 0x01]);

function writeWord(into: Buffer, at: number, type: Kind, value: Value | undefined): void {
  switch (type) {
    case 'string':
      into.set(keccak256(String(value)), at);
      break;
    case 'address':
      into.write(String(value).slice(2), at + 12, 20, 'hex');
      break;
    case 'bytes32':
      into.write(String(value).slice(2), at, 32, 'hex');
      break;
    case 'string[]':
      into.set(keccak256(Buffer.concat((value as readonly string[]).map((text) => keccak256(text)))), at);
      break;
    case 'uint256':
      into.write((value as bigint).toString(16).padStart(64, '0'), at, 32, 'hex');
      break;
  }
}

const separators = new Map<string, Uint8Array>();

/** Few domains exist: one a token and one a kind of mandate. The bound only guards against a hostile caller. */
function domainSeparator(domain: Domain): Uint8Array {
  const key = JSON.stringify([domain.name, domain.version, domain.chainId, domain.verifyingContract]);
  const known = separators.get(key);
  if (known !== undefined) return known;
  const parts = [
    [{ name: 'name', type: 'string' }, domain.name],
    [{ name: 'version', type: 'string' }, domain.version],
    [{ name: 'chainId', type: 'uint256' }, domain.chainId === undefined ? undefined : BigInt(domain.chainId)],
    [{ name: 'verifyingContract', type: 'address' }, domain.verifyingContract],
  ] as const satisfies (readonly [Field, string | bigint | undefined])[];
  const given = parts.filter(([, value]) => value !== undefined);
  const words = Buffer.alloc(32 * (given.length + 1));
  words.set(keccak256(`EIP712Domain(${given.map(([f]) => `${f.type} ${f.name}`).join(',')})`), 0);
  given.forEach(([{ type }, value], index) => writeWord(words, 32 * (index + 1), type, value));
  const separator = keccak256(words);
  if (separators.size >= 256) separators.clear();
  separators.set(key, separator);
  return separator;
}
