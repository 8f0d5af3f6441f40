import { keccak256 } from './keccak.ts';

/** The hash that `personal_sign` signs (EIP-191, version 0x45). Length counts UTF-8 bytes. */
export function hashMessage(message: string): Uint8Array {
  const bytes = Buffer.from(message, 'utf8');
  return keccak256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`, 'utf8'), bytes]),
  );
}
