import { constants, type KeyObject, verify } from 'node:crypto';
import { type DerItem, derItems, itemsIn } from './der.ts';

/** A certificate revocation list (RFC 5280, 5), taken apart; believed only after `isCrlSignedBy`. */
export type Crl = {
  readonly signed: Buffer;
  readonly signature: Buffer;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Serial numbers, as `X509Certificate` writes them. */
  readonly revoked: ReadonlySet<string>;
};

/** Null when it is none, or has no end. */
export function readCrl(bytes: Buffer): Crl | null {
  const whole = derItems(bytes);
  const [signed, , signature] = itemsIn(whole?.[0]);
  const body = readBody(signed);
  if (whole?.length !== 1 || signed === undefined || signature === undefined || body === null) return null;
  // A bit string begins with the number of bits that do not count.
  return { signed: signed.whole, signature: signature.value.subarray(1), ...body };
}

function readBody(item: DerItem | undefined): Pick<Crl, 'issuedAt' | 'expiresAt' | 'revoked'> | null {
  const parts = itemsIn(item);
  const from = parts.findIndex(isTime);
  const [issuedAt, expiresAt] = [timeOf(parts[from]), timeOf(parts[from + 1])];
  const list = parts[from + 2];
  const revoked = list?.tag === sequence ? serialsOf(list) : [];
  if (issuedAt === null || expiresAt === null || revoked === null) return null;
  return { issuedAt, expiresAt, revoked: new Set(revoked) };
}

/** Intel signs by ECDSA with SHA-256, AMD by RSA-PSS with SHA-384. */
export function isCrlSignedBy({ signed, signature }: Crl, key: KeyObject): boolean {
  if (key.asymmetricKeyType !== 'rsa') return verify('sha256', signed, key, signature);
  const { RSA_PKCS1_PSS_PADDING: padding } = constants;
  return verify('sha384', signed, { key, padding, saltLength: 48 }, signature);
}

const [sequence, utcTime, generalizedTime] = [0x30, 0x17, 0x18];
const isTime = ({ tag }: DerItem): boolean => tag === utcTime || tag === generalizedTime;

/** RFC 5280, 4.1.2.5: always to the second and in UTC; two digits of a year mean 1950 to 2049. */
function timeOf(item: DerItem | undefined): Date | null {
  if (item === undefined || !isTime(item)) return null;
  const text = item.value.toString('latin1');
  const century = Number(text.slice(0, 2)) < 50 ? '20' : '19';
  const digits = item.tag === utcTime ? century + text : text;
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits);
  if (found === null) return null;
  const [, year, month, day, hour, minute, second] = found;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

function serialsOf(list: DerItem): readonly string[] | null {
  const entries = derItems(list.value)?.map(({ value }) => derItems(value)?.[0]);
  if (entries === undefined || !entries.every((entry) => entry !== undefined)) return null;
  return entries.map(({ value }) =>
    value
      .toString('hex')
      .toUpperCase()
      .replace(/^(00)+(?=.)/, ''),
  );
}
