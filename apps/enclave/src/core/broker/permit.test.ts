import { httpDefinition, mcpToolDefinition } from '@countersign/protocol/control/connector';
import { expect, test } from 'vitest';
import { operationOf } from '@countersign/protocol/control/openapi/operation';
import { permitsHttp, permitsTool } from './permit.ts';

const definition = httpDefinition.parse({
  openapi: '3.1.0',
  servers: [{ url: 'https://api.example/v1' }, { url: 'https://eu.example/' }],
  paths: {
    '/orders/{id}/lines/{line}': { post: { operationId: 'add' } },
    '/a b/{x}': { get: { operationId: 'odd' } },
  },
});

const permits = (url: string, method = 'POST', action = 'add') => {
  const operation = operationOf(definition, action);
  if (operation === null) throw new Error('there is no such operation');
  return permitsHttp(definition, operation, { method, url: new URL(url) });
};

test('of a service the approved operation alone, below each of its servers [control-plane.connector.network]', () => {
  expect(permits('https://api.example/v1/orders/7/lines/a%2Fb?x=1')).toBe(true);
  expect(permits('https://eu.example/orders/7/lines/8')).toBe(true);
  expect(permits('https://api.example/v1/a%20b/7', 'GET', 'odd')).toBe(true);
  for (const url of [
    'http://api.example/v1/orders/7/lines/8',
    'https://api.example:444/v1/orders/7/lines/8',
    'https://api.example.evil/v1/orders/7/lines/8',
    'https://api.example/v2/orders/7/lines/8',
    'https://api.example/v1orders/7/lines/8',
    'https://api.example/v1/orders/7/lines',
    'https://api.example/v1/orders/7/lines/8/9',
    'https://api.example/v1/orders/../lines/8',
    'https://api.example/v1/orders/%2e%2e%2fx/lines/8',
    'https://me:you@api.example/v1/orders/7/lines/8',
  ])
    expect(permits(url)).toBe(false);
  expect(permits('https://api.example/v1/orders/7/lines/8', 'GET')).toBe(false);
});

test('of an MCP server the approved tool alone', () => {
  const tools = mcpToolDefinition.parse({ url: 'https://mcp.example/mcp', tools: ['add', 'list'] });
  const says = (body: unknown, method = 'POST', url = 'https://mcp.example/mcp') =>
    permitsTool(
      tools,
      'add',
      { method, url: new URL(url) },
      Buffer.from(body === null ? '' : JSON.stringify(body)),
    );
  expect(says({ method: 'tools/call', params: { name: 'add' } })).toEqual({ calls: true });
  expect(says({ method: 'initialize' })).toEqual({ calls: false });
  expect(says({ method: 'notifications/initialized' })).toEqual({ calls: false });
  expect(says(null, 'DELETE')).toEqual({ calls: false });
  for (const body of [
    { method: 'tools/call', params: { name: 'list' } },
    { method: 'tools/call' },
    { method: 'resources/read' },
    [{ method: 'tools/call', params: { name: 'add' } }],
    'x',
    null,
  ])
    expect(says(body)).toBeNull();
  expect(says({ method: 'initialize' }, 'GET')).toBeNull();
  expect(says({ method: 'initialize' }, 'POST', 'https://mcp.example/other')).toBeNull();
});
