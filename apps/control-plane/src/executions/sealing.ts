import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Enclave } from '../enclave.ts';

/** The parts of an execution that are stored encrypted. */
type Sealed = 'params' | 'data' | 'first_answer';
type Whose = { readonly tenantId: string; readonly id: string };

/** AES-256-GCM under the tenant's key. What was sealed opens only as the same thing of the same execution. */
export type Sealing = {
  readonly seal: (whose: Whose, what: Sealed, text: Uint8Array) => Promise<Buffer>;
  /** Throws where it was sealed as another, or was changed. */
  readonly open: (whose: Whose, what: Sealed, sealed: Buffer) => Promise<string>;
};

const [nonceBytes, tagBytes] = [12, 16];
const cipher = 'aes-256-gcm';

/** Keys come from the enclave, once for each tenant, and stand in no table. */
export function createSealing(enclave: Enclave): Sealing {
  const known = new Map<string, Buffer>();

  async function keyOf(tenantId: string): Promise<Buffer> {
    const found = known.get(tenantId);
    if (found !== undefined) return found;
    const answer = await enclave.call('control.tenantKey', { tenantId });
    if (!answer.ok) throw new Error(`the enclave refused control.tenantKey: ${answer.error.code}`);
    known.set(tenantId, answer.value.body);
    return answer.value.body;
  }

  return {
    async seal({ tenantId, id }, what, text) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, await keyOf(tenantId), nonce).setAAD(about(id, what));
      return Buffer.concat([nonce, sealing.update(text), sealing.final(), sealing.getAuthTag()]);
    },
    async open({ tenantId, id }, what, sealed) {
      const opening = createDecipheriv(cipher, await keyOf(tenantId), sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(about(id, what))
        .setAuthTag(sealed.subarray(-tagBytes));
      const text = [opening.update(sealed.subarray(nonceBytes, -tagBytes)), opening.final()];
      return Buffer.concat(text).toString();
    },
  };
}

const about = (id: string, what: Sealed): Buffer => Buffer.from(`${id}\n${what}`);
