/** Decrypts AES-256-GCM into `plaintext`, which is as long as the ciphertext; false when it is not genuine. */
export type GcmDecrypt = (
  what: {
    readonly key: Buffer;
    readonly nonce: Buffer;
    readonly aad: Buffer;
    readonly ciphertext: Buffer;
    readonly tag: Buffer;
  },
  plaintext: Buffer,
) => boolean;

/**
 * The OpenSSL that this process has anyway, called without Node's wrapper around it: that writes a plaintext into memory
 * of its own first and may leave it there. Null where it cannot be called.
 */
export async function loadGcmDecrypt(): Promise<GcmDecrypt | null> {
  try {
    const { default: koffi } = await import('koffi');
    const own = koffi.load(null);
    const context = koffi.pointer(koffi.opaque());
    const method = koffi.pointer(koffi.opaque());
    const begin = own.func('EVP_CIPHER_CTX_new', context, []);
    const end = own.func('EVP_CIPHER_CTX_free', 'void', [context]);
    const aes256gcm = own.func('EVP_aes_256_gcm', method, [])();
    const init = own.func('EVP_DecryptInit_ex', 'int', [context, method, 'void *', 'void *', 'void *']);
    const control = own.func('EVP_CIPHER_CTX_ctrl', 'int', [context, 'int', 'int', 'void *']);
    const update = own.func('EVP_DecryptUpdate', 'int', [context, 'void *', 'void *', 'void *', 'int']);
    const finish = own.func('EVP_DecryptFinal_ex', 'int', [context, 'void *', 'void *']);
    const written = new Int32Array(1);
    const nothing = Buffer.alloc(16);
    return ({ key, nonce, aad, ciphertext, tag }, plaintext) => {
      const at = begin();
      try {
        return (
          init(at, aes256gcm, null, key, nonce) === 1 &&
          update(at, null, written, aad, aad.length) === 1 &&
          update(at, plaintext, written, ciphertext, ciphertext.length) === 1 &&
          control(at, setTag, tag.length, tag) === 1 &&
          finish(at, nothing, written) === 1
        );
      } finally {
        end(at);
      }
    };
  } catch {
    return null;
  }
}

/** EVP_CTRL_AEAD_SET_TAG of openssl/evp.h. */
const setTag = 0x11;
