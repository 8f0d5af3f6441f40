import { closeSync, openSync } from 'node:fs';
import { Decoder, Encoder } from 'cbor-x';
import { z } from 'zod';
import type { TeeOptions, TeeProvider } from './provider.ts';
import { readRootKey } from './root-key-file.ts';

/** The Nitro Security Module: CBOR in, CBOR out. Rejects when there is none. */
export type SecurityModule = (request: Buffer) => Promise<Buffer>;

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const attestationReply = z.object({ Attestation: z.object({ document: bytes }) });
const registerReply = z.object({ DescribePCR: z.object({ data: bytes }) });
const errorReply = z.object({ Error: z.string() });

const encoder = new Encoder({ useRecords: false });
const decoder = new Decoder({ useRecords: false });

/** An AWS Nitro enclave. It has no disk and no sealing secret; `rootKeyFile` lies in its memory, put there by AWS KMS. */
export function nitroTee({ rootKeyFile }: TeeOptions, module: SecurityModule = nsmDevice): TeeProvider {
  const attest = async (reportData: Uint8Array): Promise<Buffer> => {
    const user_data = Buffer.from(reportData);
    const reply = await ask(module, { Attestation: { user_data, nonce: null, public_key: null } });
    const parsed = attestationReply.safeParse(reply);
    if (!parsed.success) throw refused(reply);
    return Buffer.from(parsed.data.Attestation.document);
  };
  return {
    kind: 'nitro',
    hardware: true,
    quote: attest,
    measurements: async () => {
      const registers = await Promise.all([0, 1, 2].map((index) => register(module, index)));
      return Object.fromEntries(registers.map((value, index) => [`pcr${index}`, value]));
    },
    // First the evidence: without hardware the key must not be used.
    sealingSecret: async () => {
      await attest(Buffer.alloc(64));
      return readRootKey(rootKeyFile, 'nitro');
    },
  };
}

async function register(module: SecurityModule, index: number): Promise<string> {
  const reply = await ask(module, { DescribePCR: { index } });
  const parsed = registerReply.safeParse(reply);
  if (!parsed.success) throw refused(reply);
  return Buffer.from(parsed.data.DescribePCR.data).toString('hex');
}

const ask = async (module: SecurityModule, request: object): Promise<unknown> =>
  decoder.decode(await module(encoder.encode(request)));

function refused(reply: unknown): Error {
  const parsed = errorReply.safeParse(reply);
  return new Error(
    `no evidence of nitro: ${parsed.success ? parsed.data.Error : 'the module’s answer cannot be read'}`,
  );
}

/** AWS's driver `nsm`: _IOWR(0x0A, 0, struct nsm_raw), two I/O vectors; no answer is longer than 12 KiB. */
const attestCall = 0xc020_0a00;
const maxBytes = 0x3000;

const nsmDevice: SecurityModule = (request) => callDevice('/dev/nsm', request);

/** Sends one request to such a device and returns its response. */
export async function callDevice(path: string, request: Buffer): Promise<Buffer> {
  const { default: koffi } = await import('koffi');
  const fd = openDevice(path);
  try {
    const vector = koffi.struct({ base: 'void *', length: 'size_t' });
    const message = koffi.struct({ request: vector, response: vector });
    const ioctl = koffi
      .load('libc.so.6')
      .func('ioctl', 'int', ['int', 'ulong', koffi.inout(koffi.pointer(message))]);
    const answer = Buffer.alloc(maxBytes);
    const vectors = {
      request: { base: request, length: request.length },
      response: { base: answer, length: answer.length },
    };
    if (ioctl(fd, attestCall, vectors) !== 0)
      throw new Error(`no evidence of nitro: ${path} refused (errno ${koffi.errno()})`);
    return answer.subarray(0, vectors.response.length);
  } finally {
    closeSync(fd);
  }
}

function openDevice(path: string): number {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`no evidence of nitro: ${path} cannot be opened (${code}): this is no Nitro enclave`, {
      cause: error,
    });
  }
}
