import { X509Certificate } from 'node:crypto';
import { fieldBytes } from './field.ts';

/**
 * Until when the first certificate (PEM) of a plaintext is valid; null where there is none that can be read, or a private key
 * stands among them: what a certificate says is no secret.
 */
export function certificateEnd(plaintext: Uint8Array): Date | null {
  const pem = fieldBytes(plaintext, 'certificate');
  if (pem === null) return null;
  try {
    const end = new Date(new X509Certificate(pem).validTo);
    return pem.includes('PRIVATE KEY-----') || Number.isNaN(end.getTime()) ? null : end;
  } catch {
    return null;
  } finally {
    pem.fill(0);
  }
}
