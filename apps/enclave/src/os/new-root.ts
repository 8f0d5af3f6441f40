import { lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mountFlags, type SystemCalls } from './system-calls.ts';

const { noSuid, noDev, noExec, bind, recursive, private: apart } = mountFlags;
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/**
 * Leaves this mount namespace with a root of its own: `visible` read-only, `files` as they are told by path, a /proc and
 * a /dev of its own, /tmp and /dev/shm empty and in memory. All else of the machine's files is gone.
 */
export function enterNewRoot(
  calls: SystemCalls,
  visible: readonly string[],
  files: Readonly<Record<string, string>>,
): void {
  calls.mount('none', '/', null, recursive | apart, null);
  // Everything is built in a mount of our own, over a folder that every machine has.
  calls.mount('tmpfs', '/tmp', 'tmpfs', noSuid | noDev, 'mode=755');
  mkdirSync('/tmp/old');
  mkdirSync('/tmp/new');
  calls.mount('tmpfs', '/tmp/new', 'tmpfs', noSuid | noDev, 'mode=755');
  calls.pivotRoot('/tmp', '/tmp/old');
  process.chdir('/');
  furnish(calls);
  for (const path of visible) show(calls, path);
  for (const [path, text] of Object.entries(files)) write(join('/new', path), text);
  process.chdir('/new');
  calls.pivotRoot('.', '.');
  calls.unmount('.');
  process.chdir('/');
}

/** The same path in the new root, read-only; a link stays one. What is not there is left out. */
function show(calls: SystemCalls, path: string): void {
  const [from, to] = [join('/old', path), join('/new', path)];
  const stat = lstatSync(from, { throwIfNoEntry: false });
  if (stat === undefined || lstatSync(to, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(to), { recursive: true });
  if (stat.isSymbolicLink()) return symlinkSync(readlinkSync(from), to);
  if (stat.isDirectory()) mkdirSync(to);
  else writeFileSync(to, '');
  calls.mount(from, to, null, bind | recursive, null);
  calls.makeReadOnly(to);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function furnish(calls: SystemCalls): void {
  mkdirSync('/new/proc');
  calls.mount('proc', '/new/proc', 'proc', noSuid | noDev | noExec, null);
  mkdirSync('/new/dev');
  calls.mount('tmpfs', '/new/dev', 'tmpfs', noSuid, 'mode=755');
  for (const name of devices) {
    writeFileSync(`/new/dev/${name}`, '');
    calls.mount(`/old/dev/${name}`, `/new/dev/${name}`, null, bind, null);
  }
  symlinkSync('/proc/self/fd', '/new/dev/fd');
  for (const folder of ['/new/dev/shm', '/new/tmp']) {
    mkdirSync(folder);
    calls.mount('tmpfs', folder, 'tmpfs', noSuid | noDev, 'mode=1777,size=256m');
  }
}
