import { expect, test } from 'vitest';
import { type Caller, maySend } from './caller.ts';

const machine: Caller = { name: 'machine', scopes: 'all' };
const reader: Caller = { name: 'oauth:con_1', scopes: ['services:read'] };
const payer: Caller = { name: 'oauth:con_2', scopes: ['services:read', 'services:call'] };
const nobody: Caller = { name: 'oauth:con_3', scopes: [] };

const call = (name: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
const reads = [
  { method: 'initialize' },
  { method: 'ping' },
  { method: 'tools/list' },
  { method: 'notifications/cancelled' },
  call('list_gateway_services'),
];
const others = [
  call('call_service_tool'),
  call(undefined),
  { method: 'tools/call' },
  { method: 'tools/call', params: null },
  { method: 'something/new' },
  {},
  null,
  [call('call_service_tool')],
  [{ method: 'ping' }],
];

test('services:read lists, and sends nothing that could do more; services:call sends all [gateway.oauth.scope]', () => {
  for (const message of [...reads, ...others])
    expect([maySend(machine, message), maySend(payer, message), maySend(nobody, message)]).toEqual([
      true,
      true,
      false,
    ]);
  for (const message of reads) expect([message, maySend(reader, message)]).toEqual([message, true]);
  for (const message of others) expect([message, maySend(reader, message)]).toEqual([message, false]);
});
