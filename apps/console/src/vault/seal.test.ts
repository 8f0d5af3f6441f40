import { expect, test } from 'vitest';
import { fromBase64, toBase64 } from './bytes.ts';
import { newRecipient, seal } from './seal.ts';

const secret = { username: 'ada', password: 'pä55 wörd' };

test('what is sealed to a recipient is opened by it alone, and says nothing of itself', async () => {
  const [recipient, other] = [await newRecipient(), await newRecipient()];
  expect(fromBase64(recipient.publicKey)).toHaveLength(65);
  const sealed = await seal(recipient.publicKey, secret);
  expect(await recipient.open(sealed)).toEqual(secret);
  expect(await seal(recipient.publicKey, secret)).not.toBe(sealed);
  expect(await other.open(sealed)).toBeNull();
});

test('a sealed text that was changed or cut does not open', async () => {
  const recipient = await newRecipient();
  const bytes = fromBase64(await seal(recipient.publicKey, secret));
  for (const at of [0, 1, 64, 65, bytes.length - 1]) {
    const changed = bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
    expect(await recipient.open(toBase64(changed))).toBeNull();
  }
  expect(await recipient.open(toBase64(bytes.slice(0, -1)))).toBeNull();
  expect(await recipient.open('')).toBeNull();
});
