import { setTimeout as sleep } from 'node:timers/promises';
import { newPrivateKey } from '@countersign/local/market';
import { connectHttp } from './caller.ts';
import { untilServing } from './contestant.ts';
import { serveJson } from './json-server.ts';
import { gatewaysOf, type Lab, spawnGateway } from './lab.ts';
import { type Failures, failuresOf, median, runLoad, warmUp } from './load.ts';

export type DiscoveredList = Failures & {
  readonly name: string;
  readonly services: number;
  readonly p50: number;
  readonly p99: number;
};

const count = 5_000;

/** `list_gateway_services` with a query that stands in each of 5,000 discovered services, asked by one caller. Medians over the rounds. */
export async function measureDiscoveredList(lab: Lab): Promise<readonly DiscoveredList[]> {
  const catalogue = await serveJson((path) => ({ status: 200, json: JSON.stringify(pageAt(path)) }));
  const measured: DiscoveredList[] = [];
  for (const gateway of gatewaysOf(lab)) {
    lab.say(`starting ${gateway.name}, which reads a catalogue of ${count} services`);
    const child = spawnGateway(lab, gateway, {
      EVM_PRIVATE_KEY: newPrivateKey(),
      DOWNSTREAM_MCP_URLS: `away=http://127.0.0.1:1/mcp`,
      PAYMENT_NETWORKS: 'eip155:84532',
      DISCOVERY_URLS: catalogue.origin,
    });
    const url = await child.ready;
    const target = { tool: 'list_gateway_services', wrap: () => ({ query: 'forecast weather' }) };
    const { caller, stop } = await untilServing(child, () => connectList(url, target));
    await untilRead(url);
    const list = () => caller.call({}, 'https://s00000.example');
    await warmUp(list);
    const rounds = [];
    for (let round = 0; round < lab.rounds; round++) rounds.push(await runLoad(list, 1, lab.seconds));
    const [p50, p99] = [median(rounds.map((each) => each.p50)), median(rounds.map((each) => each.p99))];
    measured.push({ name: gateway.name, services: count, p50, p99, ...failuresOf(rounds) });
    await caller.close();
    await stop();
  }
  catalogue.close();
  return measured;
}

/** Ready as soon as it answers at all: what a list says is looked at later. */
async function connectList(url: string, target: Parameters<typeof connectHttp>[1]) {
  const { call, close } = await connectHttp(url, target);
  return {
    close,
    call: (args: Readonly<Record<string, unknown>>, marker: string) =>
      call(args, marker.startsWith('city-') ? 'services' : marker),
  };
}

async function untilRead(url: string): Promise<void> {
  const ready = url.replace('/mcp', '/ready');
  for (let tries = 0; tries < 200; tries++) {
    const told = (await (await fetch(ready)).json()) as { discovery?: readonly { status: string }[] };
    if (told.discovery?.every(({ status }) => status === 'ok') === true) return;
    await sleep(100);
  }
  throw new Error('the catalogue was not read within 20 s');
}

/** As a facilitator tells them, 100 a page. */
function pageAt(path: string): object {
  const query = new URL(path, 'http://catalogue').searchParams;
  const offset = Number(query.get('offset'));
  const total = query.get('type') === 'mcp' ? 0 : count;
  const items = Array.from({ length: Math.max(0, Math.min(100, total - offset)) }, (_, n) =>
    itemOf(offset + n),
  );
  return { x402Version: 2, items, pagination: { limit: 100, offset, total } };
}

const itemOf = (n: number): object => ({
  resource: `https://s${String(n).padStart(5, '0')}.example/forecast`,
  type: 'http',
  x402Version: 2,
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:84532',
      amount: '10000',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      payTo: `0x${'2'.repeat(40)}`,
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    },
  ],
  description: `Forecast ${n}: the weather of any place on earth for the next ten days, with wind, rain and sun.`,
  lastUpdated: '2026-11-01T00:00:00.000Z',
});
