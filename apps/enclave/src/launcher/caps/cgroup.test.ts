import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeCaps } from './caps.ts';
import { findHierarchy } from './cgroup.ts';

const root = mkdtempSync(join(tmpdir(), 'cgroups-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A machine as /proc tells it, with folders where the kernel would have them. */
function machine(mounts: string, groups: string, files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(root, 'm-'));
  writeFileSync(join(dir, 'mounts'), mounts.replaceAll('ROOT', dir));
  writeFileSync(join(dir, 'cgroup'), groups);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

const delegated = () =>
  machine('cgroup2 ROOT/cg cgroup2 rw 0 0\n', '0::/app\n', {
    'cg/app/cgroup.controllers': 'cpu memory pids\n',
    'cg/app/cgroup.procs': '41\n42\n',
    'cg/app/cgroup.subtree_control': '',
  });

test('in a group of version 2 that was given away, sessions are groups with limits [vault.sandbox.process.caps]', () => {
  const dir = delegated();
  const hierarchy = findHierarchy(dir, () => true);
  const app = join(dir, 'cg/app');
  expect(hierarchy).toEqual({ version: 2, memory: app, cpu: app, pids: app });
  expect(readFileSync(join(dir, 'cg/app/cgroup.subtree_control'), 'utf8')).toBe('+memory +cpu +pids');
  expect(existsSync(join(dir, 'cg/app/countersign-enclave/cgroup.procs'))).toBe(true);

  const caps = makeCaps(hierarchy, 'one', { memoryMb: 512, cpu: 1.5, pids: 64 });
  expect(caps).toMatchObject({ memory_cap: 'cgroup', cpu_cap: 'cgroup' });
  expect(readFileSync(join(dir, 'cg/app/one/memory.max'), 'utf8')).toBe('536870912');
  expect(readFileSync(join(dir, 'cg/app/one/cpu.max'), 'utf8')).toBe('150000 100000');
  expect(readFileSync(join(dir, 'cg/app/one/pids.max'), 'utf8')).toBe('64');
  expect(caps.ranOut()).toBe(false);
  writeFileSync(join(dir, 'cg/app/one/memory.events'), 'low 0\noom 1\noom_kill 1\n');
  expect(caps.ranOut()).toBe(true);
});

test('a group that others are in is left alone, and each process is limited by itself', () => {
  const hierarchy = findHierarchy(delegated(), () => false);
  expect(hierarchy).toMatchObject({ memory: null, cpu: null });
  const caps = makeCaps(hierarchy, 'one', { memoryMb: 512, cpu: 1 });
  expect(caps).toMatchObject({ memory_cap: 'rlimit', cpu_cap: 'none' });
  expect(caps.prefix).toContain('524288');
});

test('in version 1 each kind of limit has its own tree, below the group of the launcher', () => {
  const dir = machine(
    'cgroup ROOT/memory cgroup rw,memory 0 0\ncgroup ROOT/cpu cgroup rw,cpu,cpuacct 0 0\n',
    '4:memory:/app\n1:cpu,cpuacct:/gone\n',
    { 'memory/app/cgroup.procs': '', 'cpu/cgroup.procs': '' },
  );
  const hierarchy = findHierarchy(dir);
  expect(hierarchy).toEqual({
    version: 1,
    memory: join(dir, 'memory/app'),
    cpu: join(dir, 'cpu'),
    pids: null,
  });
  makeCaps(hierarchy, 'one', { memoryMb: 1, cpu: 0.5 });
  expect(readFileSync(join(dir, 'memory/app/one/memory.limit_in_bytes'), 'utf8')).toBe('1048576');
  expect(readFileSync(join(dir, 'cpu/one/cpu.cfs_quota_us'), 'utf8')).toBe('50000');
});
