import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'connect-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const bin = fileURLToPath(new URL('../../../cli/bin/countersign.js', import.meta.url));

function run(...args: readonly string[]) {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    CLAUDE_CONFIG_DIR: home,
    COUNTERSIGN_GATEWAY_URL: 'http://127.0.0.1:4020/mcp',
    COUNTERSIGN_GATEWAY_TOKEN: 'abc-DEF_123',
  };
  return spawnSync(process.execPath, [bin, 'connect', ...args], { env, encoding: 'utf8' });
}

test.each([
  ['claude-code', '.claude.json'],
  ['codex', '.codex/config.toml'],
])(
  '%s: the built command writes, takes out, and exits with 1 where nothing of ours stands [system.connect.undo]',
  (client, name) => {
    const file = join(home, name);
    expect(run(client)).toMatchObject({ status: 0, stdout: expect.stringContaining(`Written to ${file}`) });
    expect(readFileSync(file, 'utf8')).toContain('Bearer abc-DEF_123');
    expect(run(client, '--undo')).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(file)).toBe(false);
    expect(run(client, '--undo')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `connect: ${file} was left alone: it is not there\n`,
    });
  },
);
