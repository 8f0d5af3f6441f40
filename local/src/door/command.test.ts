import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf } from '@countersign/service/process-identity';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askForLinks, keepDoor } from './command.ts';

let dir: string;
let server: Server;
let asked: string[];
let answer: unknown;
let url: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'door-'));
  asked = [];
  server = createServer(({ url: path, headers }, response) => {
    asked.push(`${path} ${headers.authorization}`);
    response.end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  rmSync(dir, { recursive: true });
});

const us = identityOf(process.pid);
if (us === null) throw new Error('this process is none');
const none = () => ({ ok: false, error: `there is no demo with a door that runs in ${dir}` });

test('links are made of the door’s own address and plain tokens [system.door.used]', async () => {
  keepDoor(dir, { url, linksKey: 'secret', owner: us });
  answer = { tokens: [{ role: 'owner', token: 'a'.repeat(22) }], url: 'http://evil.example' };
  const given = await askForLinks(dir);
  expect(given.ok ? given.value[1] : given.error).toBe(`  Owner      ${url}/door/owner#${'a'.repeat(22)}`);
  expect(asked).toEqual(['/door/links Bearer secret']);
});

test.each([
  [{ links: [{ role: 'owner', name: 'Owner', url: 'http://evil.example/#x' }] }],
  [{ tokens: [{ role: 'owner', token: '\u{1b}[31mred and of the length' }] }],
  [{ tokens: [{ role: 'owner', token: 'short' }] }],
  [{ tokens: [{ role: 'root', token: 'a'.repeat(22) }] }],
])('%j: nothing of it is printed [system.door.used]', async (wrong) => {
  keepDoor(dir, { url, linksKey: 'secret', owner: us });
  answer = wrong;
  expect(await askForLinks(dir)).toEqual(none());
});

test('whoever listens where a door of a process that ended was is not asked [system.door.used]', async () => {
  keepDoor(dir, { url, linksKey: 'secret', owner: { pid: us.pid, startedAt: '1' } });
  answer = { tokens: [{ role: 'owner', token: 'a'.repeat(22) }] };
  expect(await askForLinks(dir)).toEqual(none());
  expect(asked).toEqual([]);
});
