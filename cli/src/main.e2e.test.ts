import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from './commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Ended = { readonly code: number | string | undefined; readonly stdout: string; readonly stderr: string };

function countersign(folder: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const bin = join(folder, 'cli/bin/countersign.js');
    // Bounds a machine, not the command, which may have to build first. Killed, it has no code.
    execFile(process.execPath, [bin, ...args], { timeout: 240_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error.code ?? error.signal ?? undefined);
      resolve({ code, stdout, stderr });
    });
  });
}

describe('the command line', () => {
  test('--help lists every command and exits with 0 [system.cli.help]', async () => {
    const { code, stdout } = await countersign(root, '--help');

    expect(code).toBe(0);
    for (const [name, { summary }] of Object.entries(commands)) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.replaceAll(/[().]/g, '.')}$`, 'm'));
    }
  });

  test.each(Object.keys(commands))(
    '%s --help says what it does and exits with 0 [system.cli.help]',
    async (name) => {
      const { code, stdout, stderr } = await countersign(root, ...name.split(' '), '--help');

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(name);
    },
  );

  test('audit --help lists what there is of it, and so of each first word [system.cli.help]', async () => {
    for (const group of new Set(Object.keys(commands).flatMap((name) => name.match(/^\S+(?= )/) ?? []))) {
      if (group in commands) continue;
      const { code, stdout, stderr } = await countersign(root, group, '--help');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const name of Object.keys(commands))
        expect([name, stdout.includes(`  ${name} `)]).toEqual([name, name.startsWith(`${group} `)]);
    }
  });

  test('knows the commands of the main job [system.cli.payment-commands] [system.cli.compliance-import] [system.cli.vault-commands] [system.cli.verify-commands] [system.cli.control-plane]', () => {
    const payment = ['start', 'gateway', 'dashboard', 'facilitator', 'compliance import'];
    const trust = ['vault', 'enclave', 'control-plane', 'audit verify', 'attest verify'];
    expect(Object.keys(commands)).toEqual(expect.arrayContaining([...payment, ...trust]));
  });

  test('an unknown command is one line and code 2', async () => {
    expect(await countersign(root, 'pay', 'everybody')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'countersign: there is no command "pay everybody". "countersign --help" lists them.\n',
    });
  });

  test('--version is the version of the repository', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await countersign(root, '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('what is missing is one sentence with what to do, and code 1', () => {
  const run = (...argv: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      execFile(process.execPath, argv, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

  test('an old Node [system.start.old-node]', async () => {
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`;
    const bin = join(root, 'cli/bin/countersign.js');

    expect(
      await run('--import', `data:text/javascript,${encodeURIComponent(old)}`, bin, '--version'),
    ).toEqual({
      code: 1,
      stdout: '',
      stderr: 'countersign needs Node 20.19 or newer; this is 18.20.8: install Node 22 or newer\n',
    });
  });

  test('packages of a clone in which npm ci did not end [system.start.old-node]', async () => {
    const half = mkdtempSync(join(tmpdir(), 'half-'));
    cpSync(join(root, 'cli'), join(half, 'cli'), { recursive: true });
    cpSync(join(root, 'package.json'), join(half, 'package.json'));

    const ended = await run(join(half, 'cli/bin/countersign.js'), '--version');

    rmSync(half, { recursive: true });
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: 'countersign cannot be built: not all packages are installed: run "npm ci"\n',
    });
  });
});

describe('the bundle', () => {
  /** A clone with its packages linked, whose sources a test may change. */
  let clone: string;

  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'clone-'));
    for (const name of [
      'packages',
      'apps',
      'cli',
      'local',
      'contracts',
      'package.json',
      'package-lock.json',
    ]) {
      cpSync(join(root, name), join(clone, name), {
        recursive: true,
        filter: (path) => !/node_modules|\/dist\//.test(path.slice(root.length)),
      });
    }
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  });

  afterAll(() => {
    rmSync(clone, { recursive: true, force: true });
  });

  const entry = () => join(clone, 'dist/countersign.js');

  test('is built by whoever comes first, also when several come at once', async () => {
    const all = await Promise.all(Array.from({ length: 3 }, () => countersign(clone, '--version')));

    expect(new Set(all.map(({ code, stderr }) => `${code} ${stderr}`))).toEqual(new Set(['0 ']));
    expect(readdirSync(dirname(entry())).filter((name) => name.startsWith('.tmp'))).toEqual([]);
  });

  test('is left alone while no source is newer', async () => {
    const before = statSync(entry()).mtimeMs;
    await countersign(clone, '--version');
    expect(statSync(entry()).mtimeMs).toBe(before);
  });

  test('is built again after a source changed', async () => {
    const commandsFile = join(clone, 'cli/src/commands.ts');
    const text = readFileSync(commandsFile, 'utf8');
    writeFileSync(commandsFile, text.replace(/summary: '[^']*'/, `summary: 'changed just now'`));

    expect((await countersign(clone, '--help')).stdout).toContain('changed just now');
  });

  test('keeps the chunks of the build before, and drops those of last week', async () => {
    const old = join(clone, 'dist/old-AAAAAAAA.js');
    const recent = join(clone, 'dist/recent-BBBBBBBB.js');
    writeFileSync(recent, '');
    writeFileSync(old, '');
    const lastWeek = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
    utimesSync(old, lastWeek, lastWeek);
    utimesSync(entry(), lastWeek, lastWeek);

    await countersign(clone, '--version');

    const files = readdirSync(join(clone, 'dist'));
    expect(files).toContain('recent-BBBBBBBB.js');
    expect(files).not.toContain('old-AAAAAAAA.js');
  });

  test('that cannot be built is said, with the place, and code 1', async () => {
    const mainFile = join(clone, 'cli/src/main.ts');
    writeFileSync(mainFile, 'await (');

    const { code, stderr } = await countersign(clone, '--version');

    expect(code).toBe(1);
    expect(stderr).toContain('cli/src/main.ts:1');
    expect(stderr).toContain('countersign cannot be built');
  });
});
