import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, settingsOf } from './clients.ts';
import { connect, disconnect } from './connect.ts';
import { replace } from './replace.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'connect-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const of = (client: Client, token = 'abc') =>
  settingsOf(
    client,
    { home, platform: 'linux', env: {} },
    { url: 'http://127.0.0.1:4020/mcp', token: `${token}-DEF_123` },
  );
const read = (client: Client): string => readFileSync(of(client).file, 'utf8');
function write(client: Client, text: string | Buffer): void {
  mkdirSync(dirname(of(client).file), { recursive: true });
  writeFileSync(of(client).file, text);
}

test.each([
  ['vscode', '{ "servers": '],
  ['vscode', '{"servers": {}, "servers": {}}'],
  ['cursor', '{"mcpServers": []}'],
  ['cursor', '{"mcpServers": {"countersign": 1, "countersign": 2}}'],
  ['gemini', '[]'],
  ['codex', 'no TOML'],
  ['codex', 'mcp_servers = 1'],
  ['codex', 'mcp_servers = { other = { url = "x" } }\n'],
  ['codex', '[mcp_servers]\ncountersign = { url = "x" }\n'],
  ['codex', 'mcp_servers.countersign.url = "x"\n'],
  ['codex', '["mcp_servers".countersign]\nurl = "x"\n'],
  ['codex', '[mcp_servers."countersign"]\nurl = "x"\n'],
  ['codex', 'text = """\n[mcp_servers.countersign]\n"""\nmcp_servers.countersign.url = "x"\n'],
] as const)(
  '%s: settings that cannot be changed safely are left alone, and told: %j [system.connect.left-alone]',
  (client, text) => {
    write(client, text);
    const done = connect(of(client));
    expect(done).toMatchObject({
      ok: false,
      error: expect.stringMatching(/was left alone: [^\n]*"--print"[^\n]*$/),
    });
    expect(JSON.stringify(done)).not.toContain('DEF_123');
    expect(read(client)).toBe(text);
    expect(readdirSync(dirname(of(client).file))).toHaveLength(1);
  },
);

test('a file that is no UTF-8 is left alone [system.connect.left-alone]', () => {
  const bytes = Buffer.from('{"a": "\xff"}', 'latin1');
  write('cursor', bytes);
  expect(connect(of('cursor')).ok).toBe(false);
  expect(readFileSync(of('cursor').file)).toEqual(bytes);
});

test.each([
  ['a comment', '{\n  // mine\n  "mcpServers": {\n    "a": {} // this one\n  }\n}\n'],
  ['a comma at the end', '{\n  "mcpServers": {\n    "a": {}, // this one\n  },\n}\n'],
  ['numbers and order', '{"2": 1.0, "1": 1e3, "mcpServers": {"b": 0.10, "a": -0}}'],
  ['a byte order mark and CRLF', '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n'],
  ['no servers', '{\n    "a": [1,   2]\n}'],
  ['an empty object', '{\n  "mcpServers": {},\n  "a": 1\n}'],
])(
  'JSON with %s keeps it through connect, a change by somebody else and --undo [system.connect.text]',
  (_, before) => {
    write('cursor', before);
    expect(connect(of('cursor')).ok).toBe(true);
    expect(connect(of('cursor', 'second')).ok).toBe(true);
    const connected = read('cursor');
    expect(connected).toContain('Bearer second-DEF_123');
    expect(connected.match(/\r\n/g)?.length ?? 0).toBe(
      before.includes('\r\n') ? connected.split('\n').length - 1 : 0,
    );
    write('cursor', connected.replace('"a"', '"since"'));
    expect(disconnect(of('cursor')).ok).toBe(true);
    expect(read('cursor')).toBe(before.replace('"a"', '"since"'));
  },
);

test('Codex: --undo takes our table out wherever the client moved it, and no other [system.connect.undo]', () => {
  const moved = [
    '[mcp_servers.countersign]\nurl = "http://127.0.0.1:4020/mcp"\n\n# of b\n[mcp_servers.b]\nurl = "b"\n',
    '[mcp_servers.countersign.http_headers]\nAuthorization = "Bearer abc-DEF_123"\n\n[c]\nd = 1\n',
  ].join('\n');
  write('codex', 'model = "x"\n');
  connect(of('codex'));
  write('codex', moved);
  expect(disconnect(of('codex')).ok).toBe(true);
  expect(read('codex')).toBe('\n# of b\n[mcp_servers.b]\nurl = "b"\n\n[c]\nd = 1\n');
});

test('Codex: CRLF stays, and --undo refuses a table that it cannot take out alone [system.connect.undo]', () => {
  write('codex', 'model = "x"\r\n');
  connect(of('codex'));
  expect(read('codex')).not.toMatch(/[^\r]\n/);
  write('codex', `${read('codex')}[c]\r\n`);
  expect(disconnect(of('codex')).ok).toBe(true);
  expect(read('codex')).toBe('model = "x"\r\n[c]\r\n');
  connect(of('codex'));
  const inline =
    'mcp_servers = { countersign = { url = "http://127.0.0.1:4020/mcp", http_headers = { Authorization = "Bearer abc-DEF_123" } } }\n';
  write('codex', inline);
  expect(disconnect(of('codex'))).toMatchObject({ ok: false, error: expect.stringContaining('left alone') });
  expect(read('codex')).toBe(inline);
});

test('an entry of ours that was changed since is neither written over nor taken for the user’s [system.connect.left-alone]', () => {
  write('cursor', '{}');
  connect(of('cursor'));
  const changed = read('cursor').replace('"url"', '"disabled": true, "url"');
  write('cursor', changed);
  expect(connect(of('cursor', 'second')).ok).toBe(false);
  expect(disconnect(of('cursor')).ok).toBe(false);
  expect(read('cursor')).toBe(changed);
});

test('what somebody else writes in the last moment stays, and no file is left beside it [system.connect.left-alone]', () => {
  const file = join(home, 'a.json');
  writeFileSync(file, 'by somebody else');
  expect(replace(file, 'as it was read', 'ours')).toMatchObject({
    ok: false,
    error: expect.stringContaining('changed meanwhile'),
  });
  expect(replace(join(home, 'b.json'), 'gone', 'ours').ok).toBe(false);
  mkdirSync(join(home, 'folder'));
  expect(replace(join(home, 'folder'), null, 'ours').ok).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('by somebody else');
  expect(readdirSync(home).toSorted()).toEqual(['a.json', 'folder']);
});

test('a folder that cannot be made is told in one line [system.connect.left-alone]', () => {
  writeFileSync(join(home, '.cursor'), '');
  expect(connect(of('cursor'))).toMatchObject({ ok: false, error: expect.stringContaining('ENOTDIR') });
  expect(readdirSync(home)).toEqual(['.cursor']);
});
