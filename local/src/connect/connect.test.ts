import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, clients, settingsOf } from './clients.ts';
import { connect, disconnect } from './connect.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'connect-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const gateway = { url: 'http://127.0.0.1:4020/mcp', token: 'abc-DEF_123' };
const of = (client: Client, token = gateway.token, platform: NodeJS.Platform = 'linux', env = {}) =>
  settingsOf(client, { home, platform, env }, { ...gateway, token });
const read = (client: Client): string => readFileSync(of(client).file, 'utf8');
function write(client: Client, text: string): void {
  mkdirSync(dirname(of(client).file), { recursive: true });
  writeFileSync(of(client).file, text);
}
const beside = (client: Client) => readdirSync(dirname(of(client).file));

test('each client gets its own file and shape, for its owner’s eyes only [system.connect.clients]', () => {
  const headers = { Authorization: 'Bearer abc-DEF_123' };
  const { url } = gateway;
  for (const client of clients) {
    expect(connect(of(client)).ok).toBe(true);
    expect(statSync(of(client).file).mode & 0o777).toBe(0o600);
  }
  const entry = (client: Client, under = 'mcpServers') => JSON.parse(read(client))[under].countersign;
  expect(entry('claude-code')).toEqual({ type: 'http', url, headers });
  expect(entry('claude-desktop')).toMatchObject({
    command: 'npx',
    args: expect.arrayContaining([expect.stringMatching(/^mcp-remote@\d+\.\d+\.\d+$/)]),
    env: { AUTHORIZATION: headers.Authorization },
  });
  expect(entry('cursor')).toEqual({ url, headers });
  expect(entry('vscode', 'servers')).toEqual({ type: 'http', url, headers });
  expect(entry('gemini')).toEqual({ httpUrl: url, headers });
  expect(read('codex')).toBe(
    `[mcp_servers.countersign]\nurl = "${url}"\nhttp_headers = { "Authorization" = "Bearer abc-DEF_123" }\n`,
  );
  const places = (['darwin', 'win32'] as const).map((platform) =>
    of('vscode', '', platform).file.slice(home.length),
  );
  expect(places).toEqual([
    '/Library/Application Support/Code/User/mcp.json',
    '/AppData/Roaming/Code/User/mcp.json',
  ]);
  expect(of('claude-code', '', 'linux', { CLAUDE_CONFIG_DIR: '/elsewhere' }).file).toBe(
    '/elsewhere/.claude.json',
  );
});

test('connect says what was written, where others can read it, and whether the client is there [system.connect.clients]', () => {
  const { file } = of('cursor');
  expect(connect(of('cursor'))).toMatchObject({
    value: `Written to ${file}. Restart Cursor.\nCursor does not seem to be installed: ${dirname(file)} was missing.`,
  });
  rmSync(dirname(file), { recursive: true });
  write('cursor', '{}');
  expect(connect(of('cursor'))).toMatchObject({
    value: [
      `Written to ${file}. The previous version is in ${file}.before-countersign. Restart Cursor.`,
      `Other users of this machine may read the token: chmod 600 "${file}"`,
    ].join('\n'),
  });
});

test.each(clients)(
  '%s: --undo leaves what was there, and what came since then [system.connect.undo]',
  (client) => {
    const isToml = client === 'codex';
    const before = isToml
      ? 'model = "x"\n[mcp_servers.other]\nurl = "y"\n'
      : '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": {}\n\t},\n\t"servers": {}\n}\n';
    write(client, before);
    expect(connect(of(client)).ok).toBe(true);
    expect(connect(of(client, 'another')).ok).toBe(true);
    expect(read(client).match(/Bearer another/g)).toHaveLength(1);
    expect(readFileSync(`${of(client).file}.before-countersign`, 'utf8')).toBe(before);
    write(client, isToml ? `${read(client)}[since]\n` : read(client).replace('dark', 'light'));
    expect(disconnect(of(client))).toMatchObject({
      value: expect.stringContaining('The previous version is in '),
    });
    expect(read(client)).toBe(isToml ? `${before}[since]\n` : before.replace('dark', 'light'));
    expect(connect(of(client)).ok).toBe(true);
    expect(readFileSync(`${of(client).file}.before-countersign`, 'utf8')).toBe(before);
    expect(readFileSync(`${of(client).file}.before-countersign-2`, 'utf8')).not.toMatch(/Bearer/);
  },
);

test.each(clients)(
  '%s: a file that connect made goes away with --undo, however often it was connected [system.connect.undo]',
  (client) => {
    for (const token of ['first', 'second']) expect(connect(of(client, token)).ok).toBe(true);
    expect(disconnect(of(client)).ok).toBe(true);
    expect(beside(client)).toEqual([]);
    for (const token of ['first', 'second']) expect(connect(of(client, token)).ok).toBe(true);
    const since = client === 'codex' ? `model = "x"\n${read(client)}` : read(client).replace('{', '{"a":1,');
    write(client, since);
    expect(disconnect(of(client)).ok).toBe(true);
    expect(read(client)).toContain(client === 'codex' ? 'model' : '"a"');
    expect(read(client)).not.toMatch(/countersign|Bearer/);
  },
);

test('--undo puts back the entry of our name that somebody else had written [system.connect.undo]', () => {
  const before = '{ "a": 1,\n  "mcpServers": {"countersign": {"url": "https://mine.example"}, "b": {}}\n}\n';
  for (const changed of [false, true]) {
    write('cursor', before);
    connect(of('cursor'));
    connect(of('cursor', 'second'));
    expect(read('cursor')).toContain('127.0.0.1');
    if (changed) write('cursor', read('cursor').replace('1', '2'));
    disconnect(of('cursor'));
    expect(read('cursor')).toBe(changed ? before.replace('1', '2') : before);
  }
});

test('a link to settings stays a link, and its mode stays [system.connect.left-alone]', () => {
  const real = join(home, 'dotfiles.json');
  writeFileSync(real, '{}', { mode: 0o640 });
  symlinkSync(real, of('claude-code').file);
  connect(of('claude-code'));
  expect(lstatSync(of('claude-code').file).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('Bearer abc-DEF_123');
  expect(statSync(real).mode & 0o777).toBe(0o640);
  disconnect(of('claude-code'));
  rmSync(real);
  expect(connect(of('claude-code')).ok).toBe(true);
  expect(lstatSync(of('claude-code').file).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('Bearer abc-DEF_123');
});

test('--undo where nothing of ours stands writes nothing and says so [system.connect.undo]', () => {
  expect(disconnect(of('cursor'))).toMatchObject({ error: expect.stringContaining('is not there') });
  const byHand = '{"mcpServers": {"countersign": {"url": "https://mine.example"}}}';
  const own = { error: expect.stringContaining('holds no entry that "connect" wrote') };
  write('cursor', byHand);
  expect(disconnect(of('cursor'))).toMatchObject(own);
  write('cursor', '{}');
  connect(of('cursor'));
  for (const since of [byHand, '{}', 'no JSON', '[]']) {
    write('cursor', since);
    expect(disconnect(of('cursor')).ok).toBe(false);
    expect(read('cursor')).toBe(since);
  }
  write('codex', '[mcp_servers.countersign]\nurl = "x"\n');
  expect(disconnect(of('codex'))).toMatchObject(own);
  expect(beside('codex')).toEqual(['config.toml']);
});
