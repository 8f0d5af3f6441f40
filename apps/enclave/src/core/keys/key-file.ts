import { readFile } from 'node:fs/promises';
import { replaceFile } from '@countersign/audit-log/store/flush';
import { z } from 'zod';
import { decrypt, encrypt } from './aes-gcm.ts';

/** The enclave's secrets on disk: each encrypted under the TEE's sealing key, bound to its name. */
const sealed = z.strictObject({ nonce: z.base64(), ciphertext: z.base64() });
const keyFile = z.strictObject({
  v: z.literal(1),
  secrets: z.record(z.string(), sealed),
});

export type NamedSecrets = ReadonlyMap<string, Buffer>;

/** Null when file not found; throws when what it holds was not sealed by `sealingKey`. */
export async function readKeyFile(file: string, sealingKey: Buffer): Promise<NamedSecrets | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const read = keyFile.safeParse(parse(text));
  if (!read.success) throw cannotUnseal(file);
  const secrets = Object.entries(read.data.secrets).map(([name, { nonce, ciphertext }]) => {
    const from64 = (base64: string) => Buffer.from(base64, 'base64');
    const secret = decrypt(sealingKey, aadOf(name), from64(nonce), from64(ciphertext));
    if (secret === null) throw cannotUnseal(file);
    return [name, secret] as const;
  });
  return new Map(secrets);
}

export async function writeKeyFile(file: string, sealingKey: Buffer, secrets: NamedSecrets): Promise<void> {
  const entries = [...secrets].map(([name, secret]) => {
    const { nonce, ciphertext } = encrypt(sealingKey, aadOf(name), secret);
    return [name, { nonce: nonce.toString('base64'), ciphertext: ciphertext.toString('base64') }];
  });
  const text = JSON.stringify({ v: 1, secrets: Object.fromEntries(entries) }, null, 2);
  await replaceFile(file, `${text}\n`);
}

const aadOf = (name: string): string => `countersign-enclave-key-v1/${name}`;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const cannotUnseal = (file: string): Error =>
  new Error(
    `the keys in ${file} cannot be unsealed: another TEE or program sealed them, or they were changed`,
  );
