import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ended, endedText, ownedProcesses } from './owned-process.ts';
import { type ParentProgram, startParent, until, watcherOf } from '../test/parent-program.ts';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'owned-'));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const waiting = ['-e', 'setInterval(() => {}, 1000)'];
const node = { command: process.execPath, args: waiting };

describe('a parent that is killed', () => {
  // Two children: one of Node with a channel, one that knows nothing of us.
  const source = `
    import { ownedProcesses } from './owned-process.ts';
    import { identityOf } from './process-identity.ts';
    const processes = await ownedProcesses({ recordFile: process.env.RECORD });
    const children = [
      processes.spawn({ name: 'node', command: process.execPath, args: ${JSON.stringify(waiting)}, ipc: true }),
      processes.spawn({ name: 'sleep', command: 'sleep', args: ['600'] }),
    ];
    console.log(JSON.stringify(children.map(({ pid }) => identityOf(pid))));
  `;

  const startWithChildren = async () => {
    const record = join(dir, 'run.json');
    const parent = await startParent(dir, source.replace('process.env.RECORD', JSON.stringify(record)));
    const children = await parent.next<ProcessIdentity[]>();
    expect(children.map(isRunning)).toEqual([true, true]);
    return { parent, children, record };
  };

  test('with SIGKILL leaves no child running [system.start.parent-killed]', async () => {
    const { parent, children } = await startWithChildren();

    await parent.kill('SIGKILL');

    await until('the children end', () => !children.some(isRunning));
  });

  test('together with its watcher leaves children, and the next owner stops them first', async () => {
    const { parent, children, record } = await startWithChildren();
    await killWithoutWatcher(parent);
    expect(children.map(isRunning)).toEqual([true, true]);

    const next = await ownedProcesses({ recordFile: record });

    expect(children.map(isRunning)).toEqual([false, false]);
    await next.stopAll();
  });

  test('is succeeded by exactly one of several that start at once', async () => {
    const { parent, record } = await startWithChildren();
    await killWithoutWatcher(parent);

    const starting = Array.from({ length: 3 }, () =>
      startParent(
        dir,
        `import { ownedProcesses } from './owned-process.ts';
         const answer = await ownedProcesses({ recordFile: ${JSON.stringify(record)} }).then(() => 'owner', () => 'refused');
         console.log(JSON.stringify(answer));
         setInterval(() => {}, 1000);`,
      ),
    );
    const parents = await Promise.all(starting);
    const answers = await Promise.all(parents.map((next) => next.next<string>()));

    expect(answers.sort()).toEqual(['owner', 'refused', 'refused']);
    for (const next of parents) await next.kill('SIGKILL');
  });
});

async function killWithoutWatcher(parent: ParentProgram): Promise<void> {
  process.kill(watcherOf(parent.pid), 'SIGKILL');
  await parent.kill('SIGKILL');
}

test('a second owner of a record is refused while the first lives', async () => {
  const recordFile = join(dir, 'run.json');
  const first = await ownedProcesses({ recordFile });

  await expect(ownedProcesses({ recordFile })).rejects.toThrow(
    `process ${process.pid} already runs on ${dir}; stop it first`,
  );

  await first.stopAll();
});

test('the record names the children, and goes with the last of them', async () => {
  const recordFile = join(dir, 'run.json');
  const processes = await ownedProcesses({ recordFile });
  const child = processes.spawn({ name: 'waiter', ...node });

  const { children } = JSON.parse(readFileSync(recordFile, 'utf8')) as { children: unknown[] };
  expect(children).toEqual([{ ...identityOf(child.pid), name: 'waiter' }]);

  await processes.stopAll();
  expect(existsSync(recordFile)).toBe(false);
});

test('a record that a full disk tore is no obstacle', async () => {
  const recordFile = join(dir, 'run.json');
  writeFileSync(recordFile, '{"owner":');

  const processes = await ownedProcesses({ recordFile });

  await processes.stopAll();
});

test('children stop youngest first, each when the one before is gone', async () => {
  const processes = await ownedProcesses();
  const order: string[] = [];
  for (const name of ['database', 'dashboard', 'gateway']) {
    void processes.spawn({ name, ...node }).exited.then(() => order.push(name));
  }

  await processes.stopAll();

  expect(order).toEqual(['gateway', 'dashboard', 'database']);
});

test('a child that ends by itself is reported with the last lines it wrote', async () => {
  const reports: [string, Ended][] = [];
  const processes = await ownedProcesses({
    logDir: join(dir, 'logs'),
    onUnexpectedExit: (...report) => reports.push(report),
  });
  const script = `console.error('first'); console.error('{"level":"fatal","msg":"port 1 is taken"}'); process.exitCode = 3`;

  const child = processes.spawn({ name: 'short', command: process.execPath, args: ['-e', script] });
  const ended = await child.exited;

  expect(reports).toEqual([['short', ended]]);
  expect(ended).toMatchObject({ code: 3, lastLines: ['first', expect.stringContaining('fatal')] });
  expect(endedText(ended)).toBe('ended with code 3: port 1 is taken');
  expect(readFileSync(join(dir, 'logs', 'short.log'), 'utf8')).toMatch(/^first\n/);
  await processes.stopAll();
});

test('a child has a process group of its own, so Ctrl-C reaches only the parent', async () => {
  const processes = await ownedProcesses();
  const child = processes.spawn({ name: 'waiter', ...node });

  // Signal 0 to a group succeeds only if there is a group of that number.
  expect(process.kill(-child.pid, 0)).toBe(true);

  await processes.stopAll();
});

test('a Node child says when it is ready, and one that ends before says why', async () => {
  const processes = await ownedProcesses();
  const script = `process.send({ ready: true, url: 'http://127.0.0.1:1' }); setInterval(() => {}, 1000)`;
  const good = processes.spawn({ name: 'good', command: process.execPath, args: ['-e', script], ipc: true });
  const bad = processes.spawn({ name: 'bad', command: process.execPath, args: ['-e', 'throw 1'], ipc: true });

  expect(await good.ready).toBe('http://127.0.0.1:1');
  await expect(bad.ready).rejects.toThrow('bad ended with code 1');

  await processes.stopAll();
});

test('a program that is missing is one clear sentence', async () => {
  const processes = await ownedProcesses();

  expect(() => processes.spawn({ name: 'the chain', command: '/nowhere/anvil', args: [] })).toThrow(
    'the chain cannot be started: "/nowhere/anvil" is missing or may not be run',
  );

  await processes.stopAll();
});

test('nothing starts once a stop began', async () => {
  const processes = await ownedProcesses();
  await processes.stopAll();

  expect(() => processes.spawn({ name: 'late', ...node })).toThrow('late is not started');
});
