import { open } from 'node:fs/promises';

const keyBytes = 32;

/**
 * The sealing secret of a machine that has none of its own: 32 bytes, or 64 hex digits, in a file that only its owner
 * reads. Whoever puts it there, a key service that releases it on attestation, decides who can open the vault.
 */
export async function readRootKey(file: string | null | undefined, tee: string): Promise<Buffer> {
  if (file === undefined || file === null)
    throw new Error(
      `${tee} has no sealing secret of its own: let your key service write 32 bytes to a file in memory, and name it in ENCLAVE_ROOT_KEY_FILE`,
    );
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `ENCLAVE_ROOT_KEY_FILE cannot be read (${error.code}): it must belong to the user that the core runs as`,
    );
  });
  const content = Buffer.alloc(keyBytes * 2 + 2);
  try {
    const { mode } = await handle.stat();
    if ((mode & 0o077) !== 0)
      throw new Error('ENCLAVE_ROOT_KEY_FILE must be readable by its owner alone (mode 0400)');
    const { bytesRead } = await handle.read(content, 0, content.length, 0);
    return keyOf(content.subarray(0, bytesRead));
  } finally {
    content.fill(0);
    await handle.close();
  }
}

function keyOf(content: Buffer): Buffer {
  if (content.length === keyBytes) return Buffer.from(content);
  const digits = content.at(-1) === 0x0a ? content.subarray(0, -1) : content;
  const key = Buffer.alloc(keyBytes);
  for (let at = 0; at < digits.length; at += 1) {
    const digit = hexDigit(digits[at] ?? 0);
    if (digit === null || digits.length !== keyBytes * 2)
      throw new Error('ENCLAVE_ROOT_KEY_FILE must hold 32 bytes, or 64 hex digits');
    key[at >> 1] = ((key[at >> 1] ?? 0) << 4) | digit;
  }
  if (digits.length === 0) throw new Error('ENCLAVE_ROOT_KEY_FILE is empty');
  return key;
}

/** Read in place: a string of the key could not be wiped. */
function hexDigit(code: number): number | null {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : null;
}
