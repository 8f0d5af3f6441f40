import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { ConnectionCard } from '@countersign/local/connection-card';

type Json = ReturnType<typeof JSON.parse>;

/** The control plane as an admin and an agent have it, over connections that are kept. */
export type ControlClient = {
  /** Throws at any refusal: the benchmark asks for nothing that is refused. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Json>;
  readonly execute: (body: object) => Promise<Json>;
  readonly close: () => void;
};

export function controlClient(card: ConnectionCard): ControlClient {
  const { controlPlaneUrl: url, controlPlaneCa, controlPlaneClientCert: own, controlPlaneKeys: keys } = card;
  if (url === null || controlPlaneCa === null || own === null || keys === null)
    throw new Error('the control plane is not up');
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 64,
    ca: readFileSync(controlPlaneCa),
    cert: readFileSync(own.cert),
    key: readFileSync(own.key),
  });
  const send = (method: string, path: string, body: unknown, more: Record<string, string> = {}) =>
    new Promise<Json>((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = { authorization: `Bearer ${keys.admin}`, 'content-type': 'application/json', ...more };
      const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(answer));
          else reject(new Error(`${method} ${path}: ${answer}`));
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  return {
    ask: (method, path, body) => send(method, path, body),
    execute: (body) => send('POST', '/v1/executions', body, { 'idempotency-key': randomUUID() }),
    close: () => agent.destroy(),
  };
}

/** How long each took, in milliseconds, from the shortest to the longest. */
export async function timed(times: number, one: (n: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const begin = performance.now();
    await one(n);
    all.push(performance.now() - begin);
  }
  return all.toSorted((a, b) => a - b);
}
