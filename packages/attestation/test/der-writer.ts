/** Writes DER (X.690), for certificates and revocation lists of our own. */
export function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const size = value.length.toString(16);
  const long = Buffer.from(size.length % 2 === 1 ? `0${size}` : size, 'hex');
  const length = value.length < 0x80 ? long : Buffer.concat([Buffer.from([0x80 + long.length]), long]);
  return Buffer.concat([Buffer.from([tag]), length, value]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts);
export const octets = (bytes: Buffer): Buffer => tlv(0x04, bytes);
export const bits = (bytes: Buffer): Buffer => tlv(0x03, Buffer.from([0]), bytes);
export const truth = tlv(0x01, Buffer.from([0xff]));

export function integer(value: number | Buffer): Buffer {
  const hex = typeof value === 'number' ? value.toString(16) : value.toString('hex');
  const bytes = Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex');
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return tlv(0x02, ...(isNegative ? [Buffer.from([0])] : []), bytes);
}

export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const base128 = (value: number): number[] =>
    value < 128 ? [value] : [...base128(Math.floor(value / 128)).map((byte) => byte | 0x80), value % 128];
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** GeneralizedTime from 2050 on, UTCTime before: RFC 5280, 4.1.2.5. */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050
    ? tlv(0x17, Buffer.from(digits.slice(2)))
    : tlv(0x18, Buffer.from(digits));
}

export const commonName = (name: string): Buffer =>
  sequence(tlv(0x31, sequence(objectId('2.5.4.3'), tlv(0x0c, Buffer.from(name)))));
