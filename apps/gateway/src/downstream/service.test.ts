import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '@countersign/service/logger';
import { readGatewayConfig } from '../config.ts';
import { connectMcp } from './connect-mcp.ts';
import { DownstreamService } from './service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a service that is away is tried again by itself, whatever the time of day is set to [gateway.list.stays-unavailable]', async () => {
  const gone = createServer((socket) => socket.destroy());
  gone.listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/mcp`;
  const read = readGatewayConfig(
    {
      EVM_PRIVATE_KEY: `0x${'11'.repeat(32)}`,
      DOWNSTREAM_MCP_URLS: `desk=${url}`,
      DOWNSTREAM_MCP_TRANSPORT: 'streamable-http',
      DOWNSTREAM_CONNECT_RETRIES: '1',
    },
    'stdio',
  );
  if (!read.ok) throw new Error(read.error.join('; '));
  const config = read.value;
  const downstream = { serviceId: 'desk', url: new URL(url) };
  const way = { transport: 'sse', connect: () => connectMcp(downstream.url, {}, config) } as const;
  const log = createLogger('gateway', 'silent');
  const service = new DownstreamService(downstream, way, config, log, null);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  const first = once(gone, 'connection');
  await service.ready();
  await first;
  await once(gone, 'connection');
  await service.close();
  gone.close();
  expect(service.state).toMatchObject({ kind: 'unavailable' });
});
