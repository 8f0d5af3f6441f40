// What somebody who took a connector over would try. It runs in the place of our own, in the same sandbox.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { HttpAsk } from '../src/channel/connector.ts';
import { runConnectorProcess } from '../src/connector/process.ts';
import type { Broker, Program } from '../src/connector/program.ts';

type Params = Readonly<Record<string, unknown>>;

const attacks: Readonly<Record<string, (params: Params, broker: Broker) => unknown>> = {
  look: () => ({
    uid: process.getuid?.(),
    env: Object.keys(process.env),
    argv: process.argv.slice(2).join(' '),
    root: readdirSync('/').sort(),
    pids: readdirSync('/proc').filter((name) => /^\d+$/.test(name)),
    passwd: existsSync('/etc/passwd'),
    interfaces: tried(() => Object.keys(networkInterfaces())),
    status: tried(() => readFileSync('/proc/self/status', 'utf8')),
  }),
  mark: () => {
    const before = existsSync('/tmp/mark');
    writeFileSync('/tmp/mark', 'x');
    return {
      before,
      after: existsSync('/tmp/mark'),
      program: tried(() => writeFileSync(process.argv[1] ?? '', 'x')),
    };
  },
  start: () => ({ spawn: (spawnSync('/bin/true').error as NodeJS.ErrnoException)?.code }),
  connect: ({ port }) =>
    new Promise((resolve) => {
      connect(Number(port), '127.0.0.1', () => resolve('connected')).on('error', (error) =>
        resolve((error as NodeJS.ErrnoException).code),
      );
    }),
  bomb: async () => {
    const kept: Worker[] = [];
    for (let i = 0; i < 200; i++) {
      const worker = new Worker('setInterval(() => {}, 1000)', {
        eval: true,
        resourceLimits: { maxOldGenerationSizeMb: 4 },
      });
      worker.on('error', () => {});
      kept.push(worker);
      await new Promise((resolve) => worker.once('online', resolve).once('exit', resolve));
    }
    return { kept: kept.length };
  },
  eat: () => {
    const kept: Buffer[] = [];
    for (;;) kept.push(Buffer.alloc(16 * 1024 ** 2, 1));
  },
  spin: () => {
    for (;;);
  },
  flood: () => {
    process.stdout.write(Buffer.alloc(64 * 1024 ** 2, 0x41));
    return new Promise(() => {});
  },
  mutter: () => {
    setInterval(() => process.stderr.write('x'.repeat(100_000)), 1);
    return new Promise(() => {});
  },
  die: () => process.exit(3),
  ask: async (params, broker) => {
    const { method, url, headers, body } = params as HttpAsk & { readonly body?: string };
    return broker.http({ method, url, headers }, body === undefined ? undefined : Buffer.from(body));
  },
  askTwice: async (params, broker) => {
    const [first, second] = params['asks'] as readonly HttpAsk[];
    if (first === undefined || second === undefined) return null;
    const heard = await broker.http(first);
    await broker.http(second);
    return heard;
  },
};

function tried(attempt: () => unknown): unknown {
  try {
    return attempt() ?? 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

const attack: Program = async ({ params }, broker) => {
  const data = await attacks[String(params['attack'])]?.(params, broker);
  // Who sends nothing is not believed that it was done.
  const approved = params['approved'] as HttpAsk | undefined;
  if (approved !== undefined) await broker.http(approved);
  return { end: 'completed', data };
};

const programs = () => Promise.resolve(attack);
void runConnectorProcess(process.argv[4], { http: programs, 'mcp-tool': programs, postgres: programs });
