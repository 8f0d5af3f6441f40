import type { Secret } from '../browser.ts';
import { ownBuffer } from '../cdp/messages.ts';
import type { Replacement } from './binding.ts';
import type { Encoding } from './encodings.ts';

/** A secret that is open, and what stands for it. */
export type Opened = { readonly decoy: string; readonly bytes: Buffer };

/** Opens the secrets of all replacements, each once; they are wiped when `use` is done. */
export function withSecrets<T>(
  replacements: readonly Replacement[],
  use: (opened: readonly Opened[]) => Promise<T>,
): Promise<T> {
  const secrets = new Map<string, Secret>();
  for (const { fill } of replacements)
    for (const part of fill.parts) if (typeof part !== 'string') secrets.set(part.decoy, part.secret);
  const openFrom = (rest: readonly (readonly [string, Secret])[], opened: readonly Opened[]): Promise<T> => {
    const [next, ...others] = rest;
    if (next === undefined) return use(opened);
    const [decoy, secret] = next;
    return secret.open((bytes) => openFrom(others, [...opened, { decoy, bytes }]));
  };
  return openFrom([...secrets], []);
}

/** The body with the secrets in it. Whoever asks for it wipes it. */
export function bodyWith(
  body: Buffer,
  replacements: readonly Replacement[],
  opened: readonly Opened[],
): Buffer {
  const pieces: Buffer[] = [];
  const made: Buffer[] = [];
  let at = 0;
  for (const { field, fill } of replacements) {
    pieces.push(body.subarray(at, field.start));
    for (const part of fill.parts) {
      const piece = encoded(part, field.encoding, opened);
      made.push(piece);
      pieces.push(piece);
    }
    at = field.end;
  }
  const whole = join([...pieces, body.subarray(at)]);
  for (const piece of made) piece.fill(0);
  return whole;
}

function encoded(
  part: Replacement['fill']['parts'][number],
  encoding: Encoding,
  opened: readonly Opened[],
): Buffer {
  if (typeof part === 'string') return encoding(Buffer.from(part));
  const secret = opened.find(({ decoy }) => decoy === part.decoy);
  if (secret === undefined) throw new Error('a secret of this fill was not opened');
  return encoding(secret.bytes);
}

/** `Buffer.concat` in memory that is ours. */
export function join(pieces: readonly Buffer[]): Buffer {
  const whole = ownBuffer(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(whole, at);
  return whole;
}
