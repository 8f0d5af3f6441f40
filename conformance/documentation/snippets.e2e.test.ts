import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePortBase, readCard, runStart, type StartedCommand } from '@countersign/local/started-command';
import { connectDashboard } from '@countersign/sdk/dashboard';
import { unwrap } from '@countersign/sdk/unwrap';
import { build } from 'esbuild';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocks, marked, root } from './blocks.ts';

/** A folder as somebody has it who cloned the repository and started the demo. */
const dir = mkdtempSync(join(tmpdir(), 'snippets-'));
const data = join(dir, '.countersign');
let base: number;
let demo: StartedCommand;
beforeAll(async () => {
  mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true });
  for (const name of ['@countersign', 'viem', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(dir, 'node_modules', name));
  symlinkSync(join(root, 'cli/bin/countersign.js'), join(dir, 'node_modules/.bin/countersign'));
  writeFileSync(join(dir, 'package.json'), '{"type": "module"}');
  symlinkSync(join(root, 'examples'), join(dir, 'examples'));
  // curl fails where the answer is an error, as whoever reads it would see.
  writeFileSync(join(dir, '.curlrc'), 'fail-with-body\nshow-error\n');
  base = await freePortBase();
  demo = runStart(['--data', data, '--port-base', String(base), '--no-story']);
  await demo.printed('Ctrl-C stops everything');
});
afterAll(async () => {
  demo.kill('SIGINT');
  await demo.ended;
  rmSync(dir, { recursive: true, force: true });
});

/** The pages have the demo's usual ports. */
const here = (text: string) =>
  text.replace(/127\.0\.0\.1:(40[23]\d)\b/g, (_, port: string) => `127.0.0.1:${base + Number(port) - 4020}`);

const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const about = { cwd: dir, env: { ...process.env, CURL_HOME: dir, ...env }, timeout: 240_000 };
    execFile(command, args, about, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), said: stdout + stderr }),
    );
  });

const withCommands = [...new Set(marked('sh').map(({ page }) => page))];

test.each(withCommands)(
  'every command of %s runs, in the order of the page [system.site.snippets]',
  async (page) => {
    const script = marked('sh')
      .filter((block) => block.page === page)
      .map(({ text }) => here(text));
    const { code, said } = await run('bash', ['-c', `set -euo pipefail\n${script.join('\n')}`]);
    expect({ code, said }).toMatchObject({ code: 0 });
  },
);

test.each(['owner', 'merchant'] as const)(
  'the form for the books of the %s works with an accountant’s key [system.site.snippets]',
  async (who) => {
    const card = readCard(data);
    const wallet = privateKeyToAccount(card?.[who].privateKey ?? '0x');
    const dashboard = connectDashboard({ url: card?.dashboardUrl ?? '', wallet });
    const about = { name: 'books', scopes: ['transactions:read' as const] };
    const { apiKey } = await unwrap(dashboard.createKey({ body: about }));
    const form = marked('sh form').find(
      ({ page, text }) => page.endsWith(`/${who}.md`) && text.startsWith('curl'),
    );
    const { code, said } = await run('bash', ['-c', here(form?.text ?? 'false').replace('csk_KEY', apiKey)]);
    expect({ code, said }).toMatchObject({ code: 0 });
  },
);

test('new links are printed as the guide says [system.site.snippets]', async () => {
  expect(marked('sh demo').map(({ text }) => text.trim())).toContain('npm start -- --links');
  const { code, stdout } = await runStart(['--data', data, '--links']).ended;
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('/door/owner#') });
});

test('every command that a form names is there [system.site.snippets]', async () => {
  const { said } = await run('npx', ['countersign', '--help']);
  const known = [...said.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) {2,}/gm)].map(([, words = '']) => words);
  expect(known).toContain('audit verify');
  const shells = blocks.filter(({ info }) => info.startsWith('sh'));
  const named = shells.flatMap(({ text }) =>
    [...text.matchAll(/npx countersign (?:--env \S+ )?([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(
      ([, words = '']) => words,
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((words) => !known.includes(words))).toEqual([]);
});

test('every TypeScript snippet compiles against the SDK, and the programs among them run [system.site.snippets]', async () => {
  const snippets = blocks.filter(({ info }) => info === 'ts' || info === 'ts run');
  const files = snippets.map(({ text }, index) => {
    const file = join(dir, `snippet-${index}.ts`);
    writeFileSync(file, here(text));
    return file;
  });
  const compilerOptions = { noEmit: true, skipLibCheck: true, types: ['node'] };
  writeFileSync(
    join(dir, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['snippet-*.ts'] }),
  );
  const compiled = await run(join(root, 'node_modules/.bin/tsc'), ['-p', dir]);
  expect(compiled).toEqual({ code: 0, said: '' });

  const card = readCard(data);
  const env = { GATEWAY_TOKEN: card?.gatewayToken, VAULT_PASSWORD: card?.vaultUser?.password };
  const programs = files.filter((_, index) => snippets[index]?.info === 'ts run');
  expect(programs.length).toBeGreaterThan(0);
  for (const file of programs) {
    const outfile = file.replace(/\.ts$/, '.mjs');
    const js = `import { createRequire as __required } from 'node:module'; const require = __required(import.meta.url);`;
    await build({
      entryPoints: [file],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js },
    });
    const { code, said } = await run(process.execPath, [outfile], env);
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringMatching(/\S/) });
  }
});
