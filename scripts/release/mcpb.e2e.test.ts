import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getMcpConfigForManifest } from '@anthropic-ai/mcpb/node';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitsOf, measured } from './limits.js';
import { packBundle, stageBundle } from './mcpb.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

type Manifest = Parameters<typeof getMcpConfigForManifest>[0]['manifest'];

/** Of this file: a packed bundle, unpacked as a client does it. */
let dir: string;
let packed: Awaited<ReturnType<typeof packBundle>>;
let manifest: Manifest;
const installed = () => join(dir, 'installed');

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mcpb-'));
  packed = await packBundle(await stageBundle(dir), dir);
  await run(join(root, 'node_modules/.bin/mcpb'), ['unpack', join(dir, packed.file), installed()]);
  manifest = JSON.parse(readFileSync(join(installed(), 'manifest.json'), 'utf8')) as Manifest;
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** How a client would run it with what somebody filled in. */
const configOf = (filledIn: Record<string, string>) =>
  getMcpConfigForManifest({
    manifest,
    extensionPath: installed(),
    systemDirs: { HOME: dir },
    userConfig: filledIn,
    pathSeparator: '/',
  });

test('a client that unpacks the bundle runs the gateway with what the form says [system.bundle]', async () => {
  const config = await configOf({
    private_key: `0x${'ab'.repeat(31)}01`,
    services: 'quotes=http://127.0.0.1:1/mcp',
    state_dir: join(dir, 'state'),
  });
  if (config === undefined) throw new Error('the form is not filled in');
  const { args = [], env = {} } = config;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd: '/',
    stderr: 'pipe',
  });
  const client = new Client({ name: 'desktop', version: '1.0.0' });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(manifest.tools?.map(({ name }) => name));
    const listed = await client.callTool({ name: 'list_gateway_services', arguments: {} });
    expect(JSON.stringify(listed)).toContain('quotes');
    expect(readdirSync(join(dir, 'state'))).not.toEqual([]);
  } finally {
    await client.close();
  }
});

test('packed again it is the same to the byte, with the first time that the format knows [system.bundle]', async () => {
  const again = await packBundle(join(dir, 'countersign-gateway'), mkdtempSync(join(dir, 'again-')));
  expect(again).toEqual(packed);
  const archive = readFileSync(join(dir, packed.file));
  expect([archive.readUInt32LE(0), archive.readUInt32LE(10)]).toEqual([0x04034b50, 0x00210000]);
});

test('the form marks secrets, wants what the gateway cannot start without, and nothing else [system.bundle]', async () => {
  const fields = Object.entries(manifest.user_config ?? {});
  const namesOf = (chosen: (field: (typeof fields)[number][1]) => boolean) =>
    fields.filter(([, field]) => chosen(field)).map(([name]) => name);
  expect(namesOf(({ sensitive }) => sensitive === true)).toEqual(['private_key', 'api_key']);
  expect(namesOf(({ required }) => required === true)).toEqual(['private_key', 'services']);
  expect(await configOf({ services: 'quotes=http://127.0.0.1:1/mcp' })).toBeUndefined();
});

test('it has licences and native code for each machine, no file of the machine that built it, and its size [system.bundle]', () => {
  const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
  for (const machine of ['darwin-arm64', 'darwin-x64', 'linux-x64', 'win32-x64'])
    expect(files.some((file) => file.includes(`@lmdb/lmdb-${machine}/`) && file.endsWith('.node'))).toBe(
      true,
    );
  expect(files.filter((file) => /(^|\/)\.|\.test\.|\.map$/.test(file))).toEqual([]);
  for (const file of ['manifest.json', 'server/countersign-gateway.js'])
    expect(readFileSync(join(installed(), file), 'utf8')).not.toContain(root);
  expect(readFileSync(join(installed(), 'THIRD_PARTY_LICENSES'), 'utf8')).toMatch(/^lmdb \d/m);
  const limits = limitsOf(readFileSync(join(root, 'docs/packages.md'), 'utf8'));
  expect(measured(packed, limits)).toMatchObject({ isTooLarge: false });
});
