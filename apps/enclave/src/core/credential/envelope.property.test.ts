import { randomBytes } from 'node:crypto';
import type { Binding } from '@countersign/protocol/enclave/credential-parts';
import { credentialTypes } from '@countersign/protocol/vault/credential';
import { assert, constantFrom, integer, property, record, string, uint8Array, uuid } from 'fast-check';
import { expect, test } from 'vitest';
import { open, type Roots, seal } from './envelope.ts';

const keys = new Map([
  [1, randomBytes(32)],
  [2, randomBytes(32)],
]);
const roots: Roots = { newestRoot: 2, root: (number) => keys.get(number) ?? null };

const name = string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
const binding = record({
  tenantId: name,
  credentialId: uuid(),
  serviceId: name,
  type: constantFrom(...credentialTypes),
  version: integer({ min: 1, max: 1000 }),
}) as unknown as ReturnType<typeof record<Binding>>;
const plaintext = uint8Array({ minLength: 1, maxLength: 200 });

test('an envelope opens for its own binding, to the byte', () => {
  assert(
    property(binding, plaintext, (own, bytes) => {
      expect(open(roots, own, seal(roots, own, bytes))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('a row moved to another tenant, credential, service, type or version does not open [vault.keys.row-moved] [vault.keys.aead]', () => {
  const fields = ['tenantId', 'credentialId', 'serviceId', 'type', 'version'] as const;
  assert(
    property(binding, binding, constantFrom(...fields), plaintext, (own, other, field, bytes) => {
      const moved = { ...own, [field]: other[field] };
      const isSame = moved[field] === own[field];
      expect(open(roots, moved, seal(roots, own, bytes)) !== null).toBe(isSame);
    }),
  );
});

test('an envelope in which any byte is another, or the root, does not open', () => {
  const part = constantFrom('salt', 'nonce', 'ciphertext');
  assert(
    property(binding, plaintext, part, integer({ min: 0, max: 1000 }), (own, bytes, name, at) => {
      const envelope = seal(roots, own, bytes);
      const changed = Buffer.from(envelope[name as 'salt'], 'base64');
      changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ (1 << (at % 8));
      expect(open(roots, own, { ...envelope, [name]: changed.toString('base64') })).toBeNull();
      expect(open(roots, own, { ...envelope, [name]: '' })).toBeNull();
      expect(open(roots, own, { ...envelope, root: 1 })).toBeNull();
      expect(open(roots, own, { ...envelope, root: 3 })).toBeNull();
    }),
  );
});
