import { expect, test } from 'vitest';
import { type WallOptions, walls } from './walls.ts';

const options: WallOptions = {
  level: 'required',
  isRoot: true,
  uid: 61_020,
  visible: ['/usr'],
  program: '/app/dist/countersign.js',
};
const all = () => true;
const without =
  (...missing: readonly string[]) =>
  (program: string) =>
    !missing.includes(program);

test('bubblewrap is tried first where it is installed, then unshare [vault.sandbox.isolation.tools]', () => {
  expect(walls(options, all).map(({ tool }) => tool)).toEqual(['bubblewrap', 'unshare']);
  expect(walls(options, without('bwrap')).map(({ tool }) => tool)).toEqual(['unshare']);
});

test('where nothing makes a network namespace, there is no way but with best [vault.sandbox.isolation.required] [vault.sandbox.isolation.best]', () => {
  expect(walls(options, () => false)).toEqual([]);
  expect(walls(options, without('setpriv'))).toEqual([]);
  const best = walls({ ...options, level: 'best' }, without('bwrap', 'unshare'));
  expect(best.map(({ tool, sandbox }) => ({ tool, sandbox }))).toEqual([
    { tool: 'none', sandbox: true },
    { tool: 'none', sandbox: false },
  ]);
});

test('the browser’s own sandbox is given up last, and never with required', () => {
  expect(walls(options, all).every(({ sandbox }) => sandbox)).toBe(true);
  const best = walls({ ...options, level: 'best' }, all);
  expect(best.map(({ tool, sandbox }) => `${tool} ${sandbox}`)).toEqual([
    'bubblewrap true',
    'unshare true',
    'bubblewrap false',
    'unshare false',
    'none true',
    'none false',
  ]);
});

test('every way drops all rights, and as root becomes a user of its own', () => {
  for (const wall of walls({ ...options, level: 'best' }, all)) {
    expect(wall.drop).toEqual(expect.arrayContaining(['--no-new-privs', '--bounding-set=-all']));
    expect([...wall.prefix, ...wall.drop]).toContain('--reuid=61020');
  }
  for (const wall of walls({ ...options, isRoot: false }, all)) {
    expect([...wall.prefix, ...wall.drop].join(' ')).not.toContain('--reuid');
    expect(wall.user).toBeNull();
  }
});

test('bubblewrap gets namespaces of its own, no rights, and the visible files read-only', () => {
  const [bubblewrap] = walls(options, all);
  const line = bubblewrap?.prefix.join(' ') ?? '';
  for (const part of [
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-user',
    '--cap-drop ALL',
    '--die-with-parent',
    '--new-session',
    '--ro-bind-try /usr /usr',
    '--ro-bind-try /app/dist /app/dist',
    '--proc /proc',
  ])
    expect(line).toContain(part);
  expect(line).not.toMatch(/--bind|--share-net|--ro-bind-try \/ /);
  expect(line.startsWith('setpriv --reuid=61020')).toBe(true);
});
