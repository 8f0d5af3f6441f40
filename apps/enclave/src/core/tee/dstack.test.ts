import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dstackTee, socketAgent } from './dstack.ts';

let dir: string;
let server: Server;
const asked: { readonly url: string; readonly body: unknown }[] = [];
/** What the agent answers, by path; as dstack 0.5 does. */
let answers: Record<string, { readonly status?: number; readonly text: string }>;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'dstack-'));
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      asked.push({ url, body: JSON.parse(Buffer.concat(chunks).toString()) });
      const { status = 200, text } = answers[url] ?? { status: 404, text: '' };
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(join(dir, 'dstack.sock'), resolve));
});
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

const quote = Buffer.alloc(700, 1);
quote.writeUInt16LE(4, 0);
const good = {
  '/GetQuote': {
    text: JSON.stringify({ quote: quote.toString('hex'), event_log: '[]', report_data: '', vm_config: '{}' }),
  },
  '/GetKey': { text: JSON.stringify({ key: 'ab'.repeat(32), signature_chain: ['00'] }) },
};
const tee = () => dstackTee({ dir, program: '' }, socketAgent(join(dir, 'dstack.sock')));

describe('dstack', () => {
  test('gives quote, event log and a sealing secret of this application [vault.tee.provider-gives]', async () => {
    answers = good;
    expect(await tee().quote(Buffer.alloc(64, 0xcd))).toEqual(quote);
    expect(asked.at(-1)).toEqual({ url: '/GetQuote', body: { report_data: 'cd'.repeat(64) } });
    expect(await tee().measurements()).toMatchObject({ mrtd: '01'.repeat(48), eventLog: '[]' });
    const secret = await tee().sealingSecret();
    expect(asked.at(-1)).toMatchObject({ url: '/GetKey', body: { path: 'countersign/sealing' } });
    expect(secret).toHaveLength(32);
    expect(secret).toEqual(await tee().sealingSecret());
    expect(secret.toString('hex')).not.toBe('ab'.repeat(32));
  });

  test('is refused in a sentence when it answers anything else, or nothing', async () => {
    for (const [text, sentence] of [
      ['{}', 'no TDX quote'],
      ['{"quote":"","event_log":""}', 'no TDX quote'],
      ['nonsense', 'not JSON'],
    ] as const) {
      answers = { '/GetQuote': { text } };
      await expect(tee().quote(Buffer.alloc(64))).rejects.toThrow(sentence);
    }
    answers = { '/GetKey': { text: '{"key":"ab"}' } };
    await expect(tee().sealingSecret()).rejects.toThrow('dstack gave no key');
    await expect(tee().quote(Buffer.alloc(64))).rejects.toThrow('it answered 404');
    const nowhere = dstackTee({ dir, program: '' }, socketAgent(join(dir, 'nowhere.sock')));
    await expect(nowhere.quote(Buffer.alloc(64))).rejects.toThrow(/GetQuote on .*nowhere.sock: ENOENT/);
  });

  test('is heard no further than an answer can be long', async () => {
    answers = { '/GetQuote': { text: 'x'.repeat(5 * 2 ** 20) } };
    await expect(tee().quote(Buffer.alloc(64))).rejects.toThrow('too long');
  });
});
