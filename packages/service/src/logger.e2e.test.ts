import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../../cli/bin/countersign.js');
// It says one thing and ends by itself, because its standard input is closed.
const command = [process.execPath, program, 'gateway'];
const env = {
  PATH: process.env['PATH'],
  EVM_PRIVATE_KEY: `0x${'11'.repeat(32)}`,
  DOWNSTREAM_MCP_URLS: 'nobody=http://127.0.0.1:1/mcp',
  DOWNSTREAM_CONNECT_RETRIES: '1',
  GATEWAY_STATE_DIR: join(tmpdir(), 'countersign-logger-test'),
};

test('logs are JSON lines in a file, and lines for people on a terminal [system.service.logs-on-terminal]', () => {
  const inFile = spawnSync(command[0] ?? '', command.slice(1), { env, input: '', encoding: 'utf8' }).stderr;
  const first = JSON.parse(inFile.split('\n')[0] ?? '') as object;
  expect(first).toMatchObject({ service: 'gateway', level: 'warn', time: expect.any(String) });

  // `script` lends it a terminal; the two families of it differ in how they take a command.
  const bsd = ['-q', '/dev/null', ...command];
  const linux = ['-qec', command.join(' '), '/dev/null'];
  const args = process.platform === 'darwin' ? bsd : linux;
  const onTerminal = spawnSync('script', args, { env, input: '', encoding: 'utf8' }).stdout;
  expect(onTerminal).toMatch(/WARN.*gateway: COMPLIANCE_BASE_URL/s);
  expect(onTerminal).not.toContain('{"level"');
});
