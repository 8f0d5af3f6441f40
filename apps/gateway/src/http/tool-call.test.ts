import { expect, test } from 'vitest';
import { readToolCall } from './tool-call.ts';

const params = { name: 'call_service_tool', arguments: { serviceId: 'desk' } };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };

test.each([
  ['as it is', call],
  ['without arguments', { ...call, params: { name: 'call_service_tool' } }],
  ['with an id that is text', { ...call, id: 'one' }],
  ['that asks for progress', { ...call, params: { ...params, _meta: { progressToken: 7 } } }],
  ['with somebody’s own _meta', { ...call, params: { ...params, _meta: { 'example.com/a': { b: 1 } } } }],
])('a call %s is read', (_, message) => {
  expect(readToolCall(message)).toMatchObject({ id: message.id, params: message.params });
});

const claim = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
test.each([
  ['of 2026-07-28', { ...call, params: { ...params, _meta: claim } }],
  ['of a task', { ...call, params: { ...params, task: { ttl: 1 } } }],
  ['of another tool', { ...call, params: { ...params, name: 'list_gateway_services' } }],
  ['without a version', { ...call, jsonrpc: undefined }],
  ['without an id', { ...call, id: undefined }],
  ['with an id of null', { ...call, id: null }],
  ['with an id that is no whole number', { ...call, id: 0.5 }],
  ['whose arguments are a list', { ...call, params: { ...params, arguments: [] } }],
  ['whose progress token is an object', { ...call, params: { ...params, _meta: { progressToken: {} } } }],
  ['in a batch', [call]],
  ['that is nothing', null],
])('a call %s is left to the SDK', (_, message) => {
  expect(readToolCall(message)).toBeNull();
});
