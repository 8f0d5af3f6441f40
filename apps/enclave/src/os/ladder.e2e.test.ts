import { execFileSync, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { asUser, ownNamespaces, type User, withoutRights } from './ladder.ts';

const stranger: User = { uid: 61_998, gid: 61_998 };
const amRoot = process.getuid?.() === 0;

/** As root what root starts, and what a user does; as a user that alone. */
const starters = [
  ...(amRoot ? [{ who: 'root', isRoot: true, first: [] as readonly string[], user: stranger }] : []),
  { who: 'a user', isRoot: false, first: amRoot ? asUser(stranger) : [], user: null },
];
const cases = starters.flatMap((starter) => [
  { ...starter, network: true },
  { ...starter, network: false },
]);

const run = ([command = '', ...args]: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', cwd: '/' });

const status = ['cat', '/proc/self/status'];
const namespaces = [
  'readlink',
  ...['net', 'ipc', 'uts', 'mnt', 'pid'].map((kind) => `/proc/self/ns/${kind}`),
];

test.each(cases)(
  'started by $who with a network of its own: $network, no set of capabilities keeps one, for ever',
  (way) => {
    const { isRoot, first, user, network } = way;
    const before = [
      ...first,
      ...ownNamespaces({ network, isRoot, furnishes: false }),
      ...withoutRights(user),
    ];
    const lines = run([...before, ...status]);
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
      expect(lines).toMatch(new RegExp(`^Cap${set}:\\s0{16}$`, 'm'));
    expect(lines).toMatch(/^NoNewPrivs:\s1$/m);
    expect(lines).toMatch(new RegExp(`^Uid:\\s(?!0\\s)\\d+`, 'm'));
    const [net, ...others] = run([...before, ...namespaces])
      .trim()
      .split('\n');
    expect(net !== readlinkSync('/proc/self/ns/net')).toBe(network);
    const outside = ['ipc', 'uts', 'mnt', 'pid'].map((kind) => readlinkSync(`/proc/self/ns/${kind}`));
    expect(others.filter((inside) => outside.includes(inside))).toEqual([]);
  },
);

test.each(cases)(
  'started by $who with a network of its own: $network, it ends with a parent that is killed',
  async (way) => {
    const { isRoot, first, user, network } = way;
    for (const before of [
      [...ownNamespaces({ network, isRoot, furnishes: false }), ...withoutRights(user)],
      withoutRights(user),
    ]) {
      // Hears nothing of its parent: it waits for nobody, and its output is the test's.
      const [command, ...args] = [...before, 'sh', '-c', 'echo up; exec sleep 600'];
      const program = `require('node:child_process').spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: ['ignore', 'inherit', 'inherit'], detached: true })`;
      const [starter, ...rest] = [...first, process.execPath, '-e', program];
      const parent = spawn(starter, rest, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
      for await (const line of createInterface(parent.stdout)) {
        expect(line).toBe('up');
        parent.kill('SIGKILL');
      }
      // The output is over once nobody has it any more.
      expect(parent.stdout.readableEnded).toBe(true);
    }
  },
);
