import { once } from 'node:events';
import { createConnection } from 'node:net';
import { type EnclaveCommand, enclaveCommands } from '@countersign/protocol/enclave/commands';
import { encodeFrame, FrameReader } from '@countersign/service/frames';
import {
  anything,
  array,
  asyncProperty,
  assert,
  constantFrom,
  dictionary,
  jsonValue,
  oneof,
  option,
  record,
  string,
  uint8Array,
} from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../test/core-on-socket.ts';
import { bindingOf, opened, sealed } from '../../test/credentials.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await startOnSocket();
});
afterAll(() => core.stop());

/** What comes back for these bytes: the headers of answers until there is one, or the end of the connection. */
async function answersTo(bytes: Uint8Array): Promise<unknown[] | 'closed'> {
  const socket = createConnection(core.socket);
  socket.on('error', () => {});
  const reader = new FrameReader();
  const answered = new Promise<unknown[] | 'closed'>((resolve) => {
    socket.on('data', (chunk) => {
      const frames = reader.read(chunk) ?? [];
      if (frames.length > 0) resolve(frames.map(({ header }) => header));
    });
    socket.on('close', () => resolve('closed'));
  });
  await once(socket, 'connect');
  socket.end(bytes);
  const answers = await answered;
  socket.destroy();
  return answers;
}

const names = Object.keys(enclaveCommands) as EnclaveCommand[];
const field = constantFrom(
  'binding',
  'envelope',
  'sealed',
  'nonce',
  'tenantId',
  'auditId',
  'from',
  'to',
  'size',
);
const request = oneof(jsonValue(), dictionary(field, jsonValue()), record({ binding: jsonValue() }));

test('every malformed command is refused or ends its connection, and the next call works [vault.enclave.closed-commands]', async () => {
  const header = record({ id: jsonValue(), command: oneof(constantFrom(...names), string()), request });
  await assert(
    asyncProperty(oneof(header, jsonValue()), option(uint8Array({ maxLength: 50 })), async (head, body) => {
      const frame = encodeFrame(head, body ?? undefined);
      if (frame === null) return;
      const answers = await answersTo(frame);
      expect(answers === 'closed' || answers.length === 1).toBe(true);
      expect(JSON.stringify(answers)).not.toContain('INTERNAL');
    }),
    { numRuns: 300 },
  );
  expect(await core.client.call('describe', {})).toMatchObject({ ok: true });
});

test('a command nested without end ends its connection, and the next call works [vault.enclave.deep-json]', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const header = Buffer.from(`{"id":1,"command":"open","request":{"binding":${deep}}}`);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(4 + header.length, 0);
  lengths.writeUInt32BE(header.length, 4);
  expect(await answersTo(Buffer.concat([lengths, header]))).toBe('closed');
  expect(await core.client.call('describe', {})).toMatchObject({ ok: true });
});

test('garbage ends the connection, and the next call works', async () => {
  await assert(
    asyncProperty(array(uint8Array({ minLength: 1, maxLength: 40 })), async (pieces) => {
      expect(await answersTo(Buffer.concat(pieces))).toBe('closed');
    }),
    { numRuns: 100 },
  );
  expect(await core.client.call('describe', {})).toMatchObject({ ok: true });
});

test('openings with a field of anything else are refused, and leave no record', async () => {
  const good = await sealed(core.client, { binding: bindingOf({ tenantId: 'fuzzed' }) });
  const fields = Object.keys(good) as (keyof typeof good)[];
  await assert(
    asyncProperty(constantFrom(...fields), anything({ withBigInt: false }), async (name, value) => {
      const changed = { ...good, [name]: value };
      if (typeof value === 'string' && (name === 'actor' || name === 'reason')) return;
      expect(await opened(core.client, changed)).toMatch(/^(INVALID_COMMAND|CANNOT_DECRYPT)$/);
    }),
  );
  const filter = { tenantId: 'fuzzed' };
  expect(await core.client.call('audit.query', { filter, limit: 1, offset: 0 })).toMatchObject({
    value: { reply: { total: 0 } },
  });
});
