import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { serveJson } from '../json-server.ts';
import type { ControlClient } from './client.ts';
import { timed } from './client.ts';

export type ExecutionData = {
  readonly sync: readonly number[];
  /** Node in new namespaces, from its start to its end; empty where this user may make none. */
  readonly jail: readonly number[];
};

export type QueueData = {
  readonly asked: number;
  readonly completed: number;
  /** Requests that the service got. */
  readonly reached: number;
  readonly seconds: number;
  readonly cores: number;
};

const namespaces = ['--net', '--ipc', '--uts', '--mount', '--pid', '--fork', '--kill-child'];

async function bareJail(): Promise<void> {
  const args = [...namespaces, process.execPath, '-e', 'process.stdout.write("{}")'];
  const child = spawn('unshare', args, { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('no namespaces can be made here');
}

/** A connector to a service that does nothing, and a policy that permits it. */
async function noOp(client: ControlClient, service: string, onRequest: () => void) {
  const server = await serveJson(() => {
    onRequest();
    return { status: 200, json: '{}' };
  });
  const paths = { '/nothing': { post: { operationId: 'nothing' } } };
  const definition = { openapi: '3.1.0', servers: [{ url: server.origin }], paths };
  await client.ask('POST', '/v1/connectors', { service, type: 'http', definition });
  const policy = { name: 'all', cedar: 'permit(principal, action, resource);' };
  const { policy_id } = await client.ask('POST', '/v1/policies', policy);
  return { server, body: { policy_id, user_id: 'ann', service, action: 'nothing', params: {} } };
}

/** Executions one after the other, each in a sandbox of its own. */
export async function measureExecutions(client: ControlClient, rounds: number): Promise<ExecutionData> {
  const { server, body } = await noOp(client, 'bench sync', () => {});
  const execute = async () => {
    const { status } = await client.execute(body);
    if (status !== 'completed') throw new Error(`an execution ended ${status}`);
  };
  try {
    await timed(3, execute);
    const sync = await timed(rounds, execute);
    const jail = await timed(rounds, bareJail).catch(() => []);
    return { sync, jail };
  } finally {
    server.close();
  }
}

/** Many async executions at once, until the last one has ended. */
export async function measureQueue(client: ControlClient, asked: number): Promise<QueueData> {
  let reached = 0;
  const { server, body } = await noOp(client, 'bench async', () => {
    reached += 1;
  });
  try {
    const begin = performance.now();
    await Promise.all(Array.from({ length: asked }, () => client.execute({ ...body, mode: 'async' })));
    const total = async (status: string): Promise<number> =>
      (await client.ask('GET', `/v1/executions?status=${status}&limit=1`)).total;
    const before = reached;
    while ((await total('pending')) + (await total('running')) > 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const seconds = (performance.now() - begin) / 1000;
    const { items } = await client.ask('GET', '/v1/executions?limit=200');
    const own = items.filter(
      ({ service, status }: Record<string, string>) => service === body.service && status === 'completed',
    );
    return {
      asked,
      completed: own.length,
      reached: Math.max(reached, before),
      seconds,
      cores: cpus().length,
    };
  } finally {
    server.close();
  }
}
