import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { sayWhy } from '@countersign/service/lifecycle';
import { hideMemory } from '../os/harden.ts';
import { loadLibc } from '../os/libc.ts';
import { isApart } from '../os/surroundings.ts';
import type { FromJail, Launch, Preparation, ToJail } from '../channel/jail.ts';
import { enterNewRoot } from '../os/new-root.ts';
import { isSandboxed, uidOf } from './processes.ts';
import { loadSystemCalls } from '../os/system-calls.ts';

/** The browser's debugging pipe: it reads from the one, and writes to the other. */
const pipe = [3, 4] as const;

/**
 * The first process of a jail, where it has process ids of its own: furnishes it, opens the port on which the egress
 * proxy listens inside, starts the browser, and takes everything along when it ends, which it does with the browser
 * and with the launcher.
 */
export async function runJail(): Promise<void> {
  let browser: ChildProcess | null = null;
  process.on('disconnect', () => end(browser));
  const preparation = (await next('prepare')).prepare;
  const port = await prepare(preparation)
    .then(() => listen(0))
    .catch((error: unknown) => {
      process.stderr.write(`${sayWhy(error)}\n`);
      process.exit(1);
    });
  // A proxy that was started anew needs the port again.
  process.on('message', (message: ToJail) => {
    if ('listen' in message) void listen(port);
  });
  const { launch } = await next('launch');
  browser = start(launch);
  browser.once('error', () => end(null));
  browser.once('exit', () => end(browser));
  const chromiumSandbox = await isSandboxed(browser.pid ?? 0);
  say({
    running: {
      networkNamespace: isApart(preparation.outside, 'net'),
      processNamespace: isApart(preparation.outside, 'pid'),
      ownUser: uidOf(browser.pid ?? 0) !== preparation.outside.uid,
      chromiumSandbox,
    },
  });
}

/** The directory in which Chromium looks for managed policies. */
const policyPath = '/etc/chromium/policies/managed/countersign.json';
/**
 * Switches off what no flag does: checking submitted passwords with the vendor (leak detection), and offering
 * to save them.
 */
const policy = JSON.stringify({ PasswordLeakDetectionEnabled: false, PasswordManagerEnabled: false });

async function prepare({ visible, raiseLoopback }: Preparation): Promise<void> {
  // What is loaded later would no longer be found.
  hideMemory(await loadLibc());
  if (visible === null && !raiseLoopback) return;
  const calls = await loadSystemCalls();
  if (raiseLoopback) calls.raiseLoopback();
  if (visible !== null) enterNewRoot(calls, visible, { [policyPath]: policy });
}

/** Listens inside, and gives the listening socket away. */
async function listen(port: number): Promise<number> {
  const server = createServer({ pauseOnConnect: true }, (socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  say({ port: taken }, server);
  return taken;
}

function start({ command, env, user }: Launch): ChildProcess {
  const [program, ...args] = command;
  const browser = spawn(program, args, {
    env,
    cwd: '/',
    // A group of its own, which can be ended as one.
    detached: true,
    // What it writes may hold a page's words.
    stdio: ['ignore', 'ignore', 'ignore', ...pipe],
  });
  for (const fd of pipe) closeSync(fd);
  if (user !== null) {
    process.setgroups?.([]);
    process.setgid?.(user.gid);
    process.setuid?.(user.uid);
  }
  return browser;
}

/**
 * Ends the jail. In a PID namespace everything in it ends with this process; otherwise the browser's process
 * group is killed.
 */
function end(browser: ChildProcess | null): never {
  try {
    if (browser?.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
  process.exit(0);
}

function next<K extends 'prepare' | 'launch'>(what: K): Promise<Extract<ToJail, Record<K, unknown>>> {
  return new Promise((resolve) => {
    const hear = (message: ToJail) => {
      if (!(what in message)) return;
      process.off('message', hear);
      resolve(message as Extract<ToJail, Record<K, unknown>>);
    };
    process.on('message', hear);
    if (what === 'prepare') say({ alive: true });
  });
}

function say(message: FromJail, server?: Server): void {
  // Once the launcher has it, this process has it no longer: Node closes what it sends.
  process.send?.(message, server, {}, () => server?.close());
}
