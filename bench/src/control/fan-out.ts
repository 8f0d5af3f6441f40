import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ControlClient } from './client.ts';

export type FanOutData = {
  /** From the event to the receiver that answers at once, in milliseconds, from the shortest on. */
  readonly fast: readonly number[];
  /** What the receiver that takes two seconds for each answer had got by then. */
  readonly slow: number;
  /** What the one that never answers had. */
  readonly dead: number;
};

const slowMs = 2_000;

/** Three webhooks hear of the same events; one of them takes its time, one is dead. */
export async function measureFanOut(client: ControlClient, events: number): Promise<FanOutData> {
  const fast: number[] = [];
  let [slow, dead] = [0, 0];
  const receivers = await Promise.all([
    receiver(0, (sentAt) => fast.push(Date.now() - sentAt)),
    receiver(slowMs, () => {
      slow += 1;
    }),
    receiver(null, () => {
      dead += 1;
    }),
  ]);
  try {
    for (const { url } of receivers)
      await client.ask('POST', '/v1/webhooks', { url, events: ['policy.created'] });
    const policy = { name: 'told of', cedar: 'permit(principal, action, resource);' };
    for (let n = 0; n < events; n += 1) await client.ask('POST', '/v1/policies', policy);
    while (fast.length < events) await new Promise((resolve) => setTimeout(resolve, 20));
    return { fast: fast.toSorted((a, b) => a - b), slow, dead };
  } finally {
    for (const { close } of receivers) close();
  }
}

/** Answers after so long; null: never. */
async function receiver(afterMs: number | null, heard: (sentAt: number) => void) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard(Date.parse(JSON.parse(Buffer.concat(chunks).toString()).timestamp));
      if (afterMs !== null) setTimeout(() => response.writeHead(204).end(), afterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
