import { Decoder, Encoder } from 'cbor-x';
import { describe, expect, test } from 'vitest';
import { callDevice, nitroTee, type SecurityModule } from './nitro.ts';

const [encoder, decoder] = [new Encoder({ useRecords: false }), new Decoder({ useRecords: false })];

/** Requests as AWS's `nsm-lib` writes them, and its answers. */
const module: SecurityModule = async (request) => {
  const asked = decoder.decode(request) as Record<string, Record<string, unknown>>;
  if (asked['DescribePCR'] !== undefined)
    return encoder.encode({
      DescribePCR: { lock: true, data: Buffer.alloc(48, Number(asked['DescribePCR']['index'])) },
    });
  const { user_data, nonce, public_key } = asked['Attestation'] ?? {};
  expect([nonce, public_key]).toEqual([null, null]);
  return encoder.encode({ Attestation: { document: Buffer.from(user_data as Uint8Array) } });
};

describe('a Nitro enclave', () => {
  test('puts the report data into the document’s user data, and tells its registers [vault.tee.provider-gives]', async () => {
    const tee = nitroTee({ dir: '', program: '' }, module);
    expect(await tee.quote(Buffer.alloc(64, 0xef))).toEqual(Buffer.alloc(64, 0xef));
    const registers = { pcr0: '00'.repeat(48), pcr1: '01'.repeat(48), pcr2: '02'.repeat(48) };
    expect(await tee.measurements()).toEqual(registers);
    await expect(tee.sealingSecret()).rejects.toThrow('nitro has no sealing secret of its own');
  });

  test('says what the module refuses', async () => {
    const tee = nitroTee({ dir: '', program: '' }, async () => encoder.encode({ Error: 'InvalidArgument' }));
    await expect(tee.quote(Buffer.alloc(64))).rejects.toThrow('InvalidArgument');
    await expect(tee.measurements()).rejects.toThrow('InvalidArgument');
  });

  test('is told from any other machine and any other device', async () => {
    await expect(nitroTee({ dir: '', program: '' }).quote(Buffer.alloc(64))).rejects.toThrow(
      'this is no Nitro enclave',
    );
    // ENOTTY: the call went through to the kernel.
    await expect(callDevice('/dev/null', Buffer.alloc(8))).rejects.toThrow('errno 25');
  });
});
