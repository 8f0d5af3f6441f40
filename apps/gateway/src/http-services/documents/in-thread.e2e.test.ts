import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { stringify } from 'yaml';
import { expect, inject, test, vi } from 'vitest';
import { hostileYaml } from '../../../test/documents/hostile.ts';
import { readInThread } from './in-thread.ts';

const from = 'https://api.example/openapi.yaml';
const textOf = (text: string) => ({ bytes: Buffer.from(text), from, server: null, taken: [] });
const logged: unknown[] = [];
const log = { warn: (...what: unknown[]) => void logged.push(what) };
const document = {
  openapi: '3.1.0',
  info: { title: 'Shop' },
  paths: { '/a': { get: { operationId: 'a' } } },
};
const honest = stringify(document);
/** Of the command too, which is given a word. */
const readers = () =>
  [inject('manyGateways'), inject('program')].map((program) => readInThread(program, log));

test('a thread of the gateway’s program reads a document, in YAML or in long JSON [gateway.http-services.yaml]', async () => {
  const long = JSON.stringify({ ...document, x: 'x'.repeat(100_000) });
  for (const read of readers())
    for (const text of [honest, long])
      expect(await read(textOf(text))).toMatchObject({
        name: 'Shop',
        offers: [{ definition: { name: 'a' } }],
      });
});

test.each(Object.keys(hostileYaml))(
  'a document with %s ends its own thread or is none, and the next is read [gateway.http-services.yaml]',
  async (what) => {
    const read = readInThread(inject('manyGateways'), log, 3_000);
    let isFree = false;
    const hostile = read(textOf(hostileYaml[what] ?? ''));
    const next = read(textOf(honest));
    setImmediate(() => (isFree = true));
    expect(await hostile).toMatchObject({ why: expect.stringMatching(/^(no-document|too-costly)$/) });
    expect(isFree).toBe(true);
    expect(await readInThread(inject('manyGateways'), log)(textOf(honest))).toMatchObject({ offers: [{}] });
    await next;
  },
);

test.each(['lists in lists without end', 'lists in lists on one line'])(
  'a document with %s ends a process that parses it as it is [gateway.http-services.yaml]',
  (what) => {
    const code =
      "const { parse } = require('yaml'); let text = ''; process.stdin.on('data', (d) => (text += d)).on('end', () => { try { parse(text); } catch {} });";
    const { status, signal } = spawnSync(process.execPath, ['--max-old-space-size=256', '-e', code], {
      input: hostileYaml[what],
      cwd: join(import.meta.dirname, '../../../../..'),
    });
    expect({ status, signal }).toEqual({ status: null, signal: 'SIGABRT' });
  },
);

test('a thread that is late, or does not run, is told apart from a document that is none [gateway.http-services.yaml]', async () => {
  const programs = join(import.meta.dirname, '../../../test/documents');
  const late = readInThread(join(programs, 'never-ends.js'), log, 200);
  expect(await late(textOf(honest))).toEqual({ why: 'too-costly' });
  expect(JSON.stringify(logged)).toContain('https://api.example');
  for (const program of ['ends.js', 'is-not-there.js'])
    await expect(readInThread(join(programs, program), log)(textOf(honest))).rejects.toThrow(
      'the thread that reads OpenAPI documents',
    );
});

test.each([
  ['says it plainly', '"$ref"'],
  ['escapes it', '"\\u0024ref"'],
])(
  'short JSON that refers to something, and %s, is read in the thread too [gateway.http-services.yaml]',
  async (_, key) => {
    const program = join(import.meta.dirname, '../../../test/documents/never-ends.js');
    const late = readInThread(program, log, 200);
    const refers = JSON.stringify(document).replace('"operationId"', key).replace('"a"', '"#/a"');
    expect(await late(textOf(refers))).toEqual({ why: 'too-costly' });
    // The control: what refers to nothing needs no thread.
    expect(await late(textOf(JSON.stringify(document)))).toMatchObject({ offers: [{}] });
  },
);

test('a document is answered when its thread has ended, so that two never live at once [gateway.http-services.yaml]', async () => {
  const programs = join(import.meta.dirname, '../../../test/documents');
  const ended = vi.fn();
  const spied = vi.spyOn(Worker.prototype, 'terminate');
  try {
    const read = readInThread(join(programs, 'never-ends.js'), log, 200)(textOf(honest));
    await vi.waitFor(() => expect(spied).toHaveBeenCalledTimes(1), 5_000);
    void spied.mock.results[0]?.value.then(ended);
    await read;
    expect(ended).toHaveBeenCalled();
  } finally {
    spied.mockRestore();
  }
});
