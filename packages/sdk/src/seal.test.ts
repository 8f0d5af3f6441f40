import { expect, test } from 'vitest';
import { newRecipient, seal } from './seal.ts';

test('what is sealed to a key is opened with it, and with no other; what was changed is opened by none', async () => {
  const [recipient, other] = await Promise.all([newRecipient(), newRecipient()]);
  const secret = { username: 'ada', password: 'correct-Horse &#8364; 7' };
  const sealed = await seal(recipient.publicKey, secret);
  expect(await recipient.open(sealed)).toEqual(secret);
  expect(await seal(recipient.publicKey, secret)).not.toBe(sealed);
  expect(await other.open(sealed)).toBe(null);
  const bytes = Buffer.from(sealed, 'base64');
  for (const place of [0, 64, 65, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(await recipient.open(changed.toString('base64'))).toBe(null);
  }
  for (const text of ['', 'AAAA', 'not base64 at all']) expect(await recipient.open(text)).toBe(null);
});
