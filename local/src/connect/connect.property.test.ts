import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  array,
  assert,
  boolean,
  constantFrom,
  dictionary,
  integer,
  property,
  record,
  string,
  tuple,
} from 'fast-check';
import { parse } from 'jsonc-parser';
import { stringify } from 'smol-toml';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, settingsOf } from './clients.ts';
import { connect, disconnect } from './connect.ts';
import { withEntry, withoutEntry } from './edit.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'connect-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const of = (client: Client, token = 'a') =>
  settingsOf(client, { home, platform: 'linux', env: {} }, { url: 'http://127.0.0.1:4020/mcp', token });

const name = string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__');
const servers = dictionary(name, record({ url: string(), more: dictionary(name, integer()) }));
const blank = constantFrom('', ' ', '\n', '\r\n', '\t', ' // c, "}\n', '/* , { */');

/** JSON as people write it: blanks and comments anywhere, commas at the end, numbers as they like. */
const jsonText = tuple(
  servers,
  boolean(),
  constantFrom('', '\uFEFF'),
  array(blank, { minLength: 1, maxLength: 6 }),
).map(([others, hasComma, mark, blanks]) => {
  let count = 0;
  const gap = () => blanks[(count += 1) % blanks.length] ?? '';
  const object = (members: readonly string[]): string => {
    const listed = members.map((member) => `${gap()}${member}${gap()}`).join(',');
    return `{${listed}${hasComma && members.length > 0 ? ',' : ''}${gap()}}`;
  };
  const member = (key: string, value: string) => `${JSON.stringify(key)}${gap()}:${gap()}${value}`;
  const listed = Object.entries(others).map(([key, value]) => member(key, JSON.stringify(value)));
  return `${mark}${gap()}${object([member('n', '1.00e+2'), member('mcpServers', object(listed))])}${gap()}`;
});

const tomlText = tuple(
  servers,
  boolean(),
  constantFrom('', '# mine\n', 'text = """\n[mcp_servers.countersign]\n"""\n'),
).map(([others, isCrLf, start]) => {
  const text = start + stringify({ model: 'x', mcp_servers: others });
  return isCrLf ? text.replaceAll('\n', '\r\n') : text;
});

test.each([
  ['cursor', jsonText],
  ['codex', tomlText],
] as const)(
  '%s: connect, once or again, and then --undo leave the file as it was, to the byte [system.connect.undo]',
  (client, texts) => {
    const { file } = of(client);
    assert(
      property(texts, array(constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }), (text, tokens) => {
        rmSync(dirname(file), { recursive: true, force: true });
        mkdirSync(dirname(file));
        writeFileSync(file, text);
        for (const token of tokens) expect(connect(of(client, token))).toMatchObject({ ok: true });
        expect(readFileSync(file, 'utf8')).not.toBe(text);
        expect(disconnect(of(client))).toMatchObject({ ok: true });
        expect(readFileSync(file, 'utf8')).toBe(text);
        expect(readdirSync(dirname(file))).toHaveLength(1);
      }),
      // Each writes a dozen files.
      { numRuns: 40 },
    );
  },
);

test('the edit alone, without the copy, changes nothing else of JSON, and takes itself out [system.connect.text]', () => {
  const { form, entry } = of('cursor');
  assert(
    property(jsonText, (text) => {
      const connected = withEntry(form, text, entry);
      const undone = connected.ok ? withoutEntry(form, connected.value, text) : connected;
      const result = undone.ok ? undone.value : undone.error;
      const comments = (all: string | null) => all?.match(/c, "}|, \{ \*/g)?.length ?? 0;
      expect(parse((result ?? '').replace('\uFEFF', ''))).toEqual(parse(text.replace('\uFEFF', '')));
      expect([comments(result), result?.includes('1.00e+2')]).toEqual([comments(text), true]);
    }),
  );
});

test('the edit alone, without the copy, gives the same TOML to the byte, whatever is added behind it [system.connect.text]', () => {
  const { form, entry } = of('codex');
  assert(
    property(tomlText, boolean(), (text, isMore) => {
      const more = isMore ? '[since]\n' : '';
      const connected = withEntry(form, text, entry);
      const undone = connected.ok ? withoutEntry(form, connected.value + more, text) : connected;
      expect(undone).toEqual({ ok: true, value: text + more });
    }),
  );
});
