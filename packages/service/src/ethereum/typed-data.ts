import { keccak256 } from './keccak.ts';

/** Types of a flat EIP-712 struct: the four atomic kinds that our messages use, and lists of texts. */
type Kind = 'string' | 'address' | 'bytes32' | 'uint256' | 'string[]';
type Value = string | bigint | readonly string[];
type Field = { readonly name: string; readonly type: Kind };
export type Domain = {
  readonly name: string;
  readonly version: string;
  /** Absent where nothing on a chain follows from the message. */
  readonly chainId?: number;
  readonly verifyingContract?: string;
};

/**
 * A function that hashes messages of one flat struct for `signTypedData` (EIP-712, "hashStruct").
 * The type hash is computed once. Values: strings for `string` and `address`, hex for `bytes32`, bigint
 * for `uint256`, a list of strings for `string[]`.
 */
export function typedDataHasher(primaryType: string, fields: readonly Field[]) {
  const typeHash = keccak256(`${primaryType}(${fields.map((f) => `${f.type} ${f.name}`).join(',')})`);
  return (domain: Domain, message: Readonly<Record<string, Value>>): Uint8Array => {
    const struct = Buffer.alloc(32 * (fields.length + 1));
    struct.set(typeHash, 0);
    fields.forEach(({ name, type }, index) => writeWord(struct, 32 * (index + 1), type, message[name]));
    return keccak256(Buffer.concat([prefix, domainSeparator(domain), keccak256(struct)]));
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
