import { fail, ok, type Result } from '@countersign/protocol/result';
import { Decoder, setSizeLimits } from 'cbor-x';
import { z } from 'zod';

/** AWS's attestation document, taken apart; nothing in it is believed yet. */
export type NitroDocument = {
  /** RFC 9052: what the signature is over. */
  readonly signed: Buffer;
  /** ECDSA P-384: r and s, 48 bytes each. */
  readonly signature: Buffer;
  readonly moduleId: string;
  readonly at: Date;
  /** The values of the platform configuration registers, by index. */
  readonly pcrs: ReadonlyMap<number, Buffer>;
  /** DER; the key that signed, then AWS's chain from the root on. */
  readonly certificate: Buffer;
  readonly cabundle: readonly Buffer[];
  readonly userData: Buffer | null;
  readonly nonce: Buffer | null;
};

/** Far more than the 16 KiB that the device gives. */
const maxBytes = 64 * 1024;
// A few bytes may claim an array of millions, for which the decoder would make room.
setSizeLimits({ maxArraySize: 1024, maxMapSize: 1024, maxObjectSize: 1024 });

const [arrayOfFour, tagSign1, emptyMap] = [0x84, 0xd2, 0xa0];
/** The protected header, which says ES384 and nothing else. */
const es384 = Buffer.from('44a1013822', 'hex');

export const looksLikeNitro = (bytes: Buffer): boolean =>
  withoutTag(bytes)[0] === arrayOfFour && withoutTag(bytes).subarray(1, 6).equals(es384);

/** The document inside what some tools wrap around it; null when there is none near the beginning. */
export function unwrapNitro(bytes: Buffer): Buffer | null {
  const start = bytes.subarray(0, maxWrapping).indexOf(Buffer.concat([Buffer.from([arrayOfFour]), es384]));
  const payload = start < 0 ? null : byteString(bytes.subarray(start + 7));
  const signature = payload === null ? null : byteString(payload.rest);
  return signature === null ? null : bytes.subarray(start, bytes.length - signature.rest.length);
}

const maxWrapping = 64;

const withoutTag = (bytes: Buffer): Buffer => (bytes[0] === tagSign1 ? bytes.subarray(1) : bytes);

/**
 * Reads a COSE_Sign1 structure in the one spelling that the device writes, so that no byte around what is signed can
 * be changed either.
 */
export function readNitro(bytes: Buffer): Result<NitroDocument, string> {
  if (bytes.length > maxBytes) return fail('it is too long');
  if (!looksLikeNitro(bytes)) return fail('it is not a COSE_Sign1 structure with ES384');
  const sign1 = withoutTag(bytes);
  if (sign1[6] !== emptyMap) return fail('it has a header that is not signed');
  const payload = byteString(sign1.subarray(7));
  const signature = payload === null ? null : byteString(payload.rest);
  if (payload === null || signature === null || signature.rest.length > 0 || signature.value.length !== 96)
    return fail('it is truncated, or other bytes follow it');
  const content = readPayload(payload.value);
  if (content === null) return fail('its payload is not an attestation document');
  return ok({ signed: toBeSigned(payload.whole), signature: signature.value, ...content });
}

type ByteString = { readonly value: Buffer; readonly whole: Buffer; readonly rest: Buffer };

/** The CBOR byte string that these bytes begin with, in its shortest form, up to 65,535 bytes. */
function byteString(bytes: Buffer): ByteString | null {
  const [first = 0, second = 0, third = 0] = bytes;
  const [head, length] =
    first === 0x58 ? [2, second] : first === 0x59 ? [3, second * 256 + third] : [1, first - 0x40];
  const isShortest = length >= { 1: 0, 2: 24, 3: 256 }[head as 1 | 2 | 3];
  if (!isShortest || (head === 1 && length > 23) || length > bytes.length - head) return null;
  const end = head + length;
  return { value: bytes.subarray(head, end), whole: bytes.subarray(0, end), rest: bytes.subarray(end) };
}

/** RFC 9052, 4.4: ["Signature1", protected header, external data, payload]. */
const toBeSigned = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x84, 0x6a]), Buffer.from('Signature1'), es384, Buffer.from([0x40]), payload]);

const bytes = z
  .custom<Buffer>((value) => value instanceof Uint8Array)
  .transform((value) => Buffer.from(value));
const optionalBytes = bytes.nullish().transform((value) => value ?? null);

const attestationDocument = z.object({
  module_id: z.string().min(1).max(256),
  digest: z.literal('SHA384'),
  /** Milliseconds; the decoder gives 64 bits as a bigint. */
  timestamp: z.union([z.number(), z.bigint()]).transform(Number).pipe(z.int().min(0).max(8.64e15)),
  pcrs: z.map(
    z.int().min(0).max(31),
    bytes.refine(({ length }) => [32, 48, 64].includes(length)),
  ),
  certificate: bytes,
  cabundle: z.array(bytes).min(1).max(16),
  user_data: optionalBytes,
  nonce: optionalBytes,
});

const decoder = new Decoder({ mapsAsObjects: false, useRecords: false });

function readPayload(payload: Buffer): Omit<NitroDocument, 'signed' | 'signature'> | null {
  const value = decode(payload);
  const parsed = attestationDocument.safeParse(value instanceof Map ? Object.fromEntries(value) : null);
  if (!parsed.success) return null;
  const { module_id: moduleId, timestamp, user_data: userData, digest: _, ...rest } = parsed.data;
  return { ...rest, moduleId, at: new Date(timestamp), userData };
}

function decode(bytes: Buffer): unknown {
  try {
    return decoder.decode(bytes) as unknown;
  } catch {
    return null;
  }
}
