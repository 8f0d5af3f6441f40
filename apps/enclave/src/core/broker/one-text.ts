import { fieldBytes, ownCopy } from '../credential/field.ts';
import { percentEncoded } from './percent-encoded.ts';

/**
 * A credential as the one text that connectors use: an `api_key` is its key, a `username_password` is
 * `username:password` (RFC 7617, 2), a `database_connection` is a `postgres://` URL. Null for what is none of these, and
 * for a database called `.` or `..`. The caller wipes it.
 */
export function oneText(plaintext: Buffer): Buffer | null {
  const key = fieldBytes(plaintext, 'key');
  if (key !== null) return key;
  const login = fieldsOf(plaintext, ['username', 'password']);
  const place = fieldsOf(plaintext, ['host', 'port', 'database']);
  if (login === null) return null;
  if (place === null) return joined(login, ['', ':', '']);
  // Whoever reads a URL takes these for folders, however they are written, and would reach another database.
  if (/^\.\.?$/.test(place[2]?.toString('latin1') ?? '')) {
    for (const one of [...login, ...place]) one.fill(0);
    return null;
  }
  const written = [...login, ...place].map(percentEncoded);
  for (const one of [...login, ...place]) one.fill(0);
  return joined(written, ['postgres://', ':', '@', ':', '/', '']);
}

function fieldsOf(plaintext: Buffer, names: readonly string[]): Buffer[] | null {
  const found = names.map((name) => fieldBytes(plaintext, name)).filter((one) => one !== null);
  if (found.length === names.length) return found;
  for (const one of found) one.fill(0);
  return null;
}

/** The values between the signs; they are wiped. */
function joined(values: readonly Buffer[], signs: readonly string[]): Buffer {
  const whole = Buffer.concat(
    signs.flatMap((sign, at) => [Buffer.from(sign), values[at] ?? Buffer.alloc(0)]),
  );
  for (const one of values) one.fill(0);
  const own = ownCopy(whole);
  whole.fill(0);
  return own;
}
