import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { dockerDriver } from './docker.ts';
import { kubernetesDriver, podOf } from './kubernetes.ts';
import { Sandboxes } from './sandboxes.ts';

const dir = mkdtempSync(join(tmpdir(), 'drivers-'));
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A program of this name, first in the path, which remembers how it was called and says that it is ready. */
function installed(name: string): () => string[][] {
  const calls = join(dir, `${name}.calls`);
  writeFileSync(
    join(dir, name),
    `#!${process.execPath}
require('node:fs').appendFileSync('${calls}', JSON.stringify(process.argv.slice(2)) + '\\n');
if (process.argv[2] === 'run') {
  process.stderr.write('{"ready":{"network":"none","seccomp":true,"apart":false}}\\n');
  process.stdin.on('end', () => process.exit(0)).resume();
}`,
  );
  chmodSync(join(dir, name), 0o755);
  vi.stubEnv('PATH', `${dir}${delimiter}${process.env['PATH'] ?? ''}`);
  return () =>
    readFileSync(calls, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
}

const noEgress = () => Promise.reject(new Error('nobody dials here'));

test('docker: a new container each time, without network, rights or a disk to write to, and removed by its name [control-plane.connector.drivers]', async () => {
  const calls = installed('docker');
  const sandboxes = new Sandboxes({
    driver: dockerDriver({ image: 'countersign:1' }),
    keepsReady: 0,
    egress: noEgress,
  });
  const started = await sandboxes.start();
  expect(started).toMatchObject({
    value: { facts: { driver: 'docker', network: 'none', memory_limit: 'container', seccomp: true } },
  });
  await sandboxes.stop();
  await expect.poll(() => calls().length).toBe(2);
  const [run = [], removed = []] = calls();
  const [name = ''] = run.filter((word) => word.startsWith('--name='));
  expect(run.join(' ').replace(name, '--name=NAME')).toBe(
    'run --rm --interactive --name=NAME --network=none --memory=512m --memory-swap=512m --cpus=1 --pids-limit=64 ' +
      '--read-only --tmpfs=/tmp:size=64m,noexec --cap-drop=ALL --security-opt=no-new-privileges --user=61200:61200 ' +
      '--env=NODE_OPTIONS=--max-old-space-size=384 countersign:1 enclave connector',
  );
  expect(removed).toEqual(['rm', '--force', name.slice('--name='.length)]);
});

test('kubernetes: a pod each time, with limits, without a token, and deleted by its name [control-plane.connector.drivers]', async () => {
  const calls = installed('kubectl');
  const options = { image: 'registry.example/countersign:1', runtimeClass: 'gvisor' };
  const sandboxes = new Sandboxes({ driver: kubernetesDriver(options), keepsReady: 0, egress: noEgress });
  expect((await sandboxes.start()).ok).toBe(true);
  await sandboxes.stop();
  await expect.poll(() => calls().length).toBe(2);
  const [run = [], deleted = []] = calls();
  const name = run[1] ?? '';
  expect(run).toEqual([
    'run',
    name,
    '--stdin',
    '--quiet',
    '--rm',
    '--restart=Never',
    '--image=registry.example/countersign:1',
    `--overrides=${JSON.stringify(podOf(name, options))}`,
  ]);
  expect(podOf(name, options).spec).toMatchObject({
    automountServiceAccountToken: false,
    runtimeClassName: 'gvisor',
    securityContext: { runAsNonRoot: true },
    containers: [
      {
        args: ['enclave', 'connector'],
        resources: { limits: { memory: '512Mi', cpu: '1' }, requests: { memory: '512Mi', cpu: '1' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  });
  expect(deleted.slice(0, 3)).toEqual(['delete', 'pod', name]);
  rmSync(dir, { recursive: true });
});

test('where the engine does not start one, that is told', async () => {
  vi.stubEnv('PATH', '/nowhere');
  const driver = dockerDriver({ image: 'countersign:1' });
  expect((await new Sandboxes({ driver, keepsReady: 0, egress: noEgress }).start()).ok).toBe(false);
});
