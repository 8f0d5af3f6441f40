import { request } from 'node:http';
import { z } from 'zod';
import { hkdf, withSecret } from '../keys/hkdf.ts';
import { collateralIn, measuredIn } from './measured.ts';
import type { TeeOptions, TeeProvider } from './provider.ts';

/** dstack's guest agent: JSON over HTTP on a Unix socket. Resolves with the body; rejects with what is wrong. */
export type GuestAgent = (method: 'GetQuote' | 'GetKey', body: object) => Promise<unknown>;

const socketPath = '/var/run/dstack.sock';
const hex = z.string().regex(/^([0-9a-f]{2})+$/i);
const quoteReply = z.object({ quote: hex, event_log: z.string() });
const keyReply = z.object({ key: hex.length(64) });

/** A container in a confidential VM of dstack; its key service derives the sealing secret for this application alone. */
export function dstackTee({ dir }: TeeOptions, agent: GuestAgent = socketAgent(socketPath)): TeeProvider {
  const ask = async (reportData: Uint8Array) => {
    const body = { report_data: Buffer.from(reportData).toString('hex') };
    const reply = quoteReply.safeParse(await agent('GetQuote', body));
    if (!reply.success) throw new Error('dstack gave no TDX quote: is this a TDX machine?');
    return { quote: Buffer.from(reply.data.quote, 'hex'), eventLog: reply.data.event_log };
  };
  return {
    kind: 'dstack',
    hardware: true,
    quote: async (reportData) => (await ask(reportData)).quote,
    measurements: async () => {
      const { quote, eventLog } = await ask(Buffer.alloc(64));
      return { ...measuredIn.tdx(quote), eventLog, ...(await collateralIn(dir)) };
    },
    sealingSecret: async () => {
      const reply = keyReply.safeParse(
        await agent('GetKey', { path: 'countersign/sealing', purpose: 'sealing', algorithm: 'secp256k1' }),
      );
      if (!reply.success) throw new Error('dstack gave no key');
      return withSecret(Buffer.from(reply.data.key, 'hex'), (key) => hkdf(key, 'countersign-sealing-v1'));
    },
  };
}

const timeoutMs = 10_000;
/** An event log has some tens of kilobytes. */
const maxBytes = 4 * 2 ** 20;

export const socketAgent =
  (socketPath: string): GuestAgent =>
  (method, body) =>
    new Promise((resolve, reject) => {
      const refuse = (why: string) => reject(new Error(`dstack's ${method} on ${socketPath}: ${why}`));
      const headers = { 'content-type': 'application/json', host: 'dstack' };
      const asked = request({ socketPath, path: `/${method}`, method: 'POST', headers, timeout: timeoutMs });
      asked.on('timeout', () => asked.destroy(new Error('no answer in 10 s')));
      asked.on('error', (error: NodeJS.ErrnoException) => refuse(error.code ?? error.message));
      asked.on('response', (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > maxBytes) response.destroy(new Error('the answer is too long'));
          chunks.push(chunk);
        });
        response.on('error', (error) => refuse(error.message));
        response.on('end', () => {
          if (response.statusCode !== 200) return refuse(`it answered ${response.statusCode}`);
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
          } catch {
            refuse('the answer is not JSON');
          }
        });
      });
      asked.end(JSON.stringify(body));
    });
