import { isUrl } from '@countersign/protocol/url';
import { ownCopy } from '../credential/field.ts';

const colon = 0x3a;

/**
 * Everything in a credential that must not be seen: itself; of `user:password` the password; of a URL the password, as
 * it is written and as it is meant. The caller wipes them.
 */
export function secretsIn(credential: Buffer): Buffer[] {
  const whole = ownCopy(credential);
  if (isDatabaseUrl(credential)) return [whole, ...passwordsOf(credential)];
  const at = credential.indexOf(colon);
  return at > 0 && at < credential.length - 1 ? [whole, ownCopy(credential.subarray(at + 1))] : [whole];
}

export const isDatabaseUrl = (credential: Buffer): boolean =>
  /^postgres(ql)?:\/\//.test(credential.toString('latin1', 0, 13));

function passwordsOf(url: Buffer): Buffer[] {
  const text = url.toString();
  if (!isUrl(text)) return [];
  const { password } = new URL(text);
  return [Buffer.from(password), Buffer.from(decoded(password))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
