import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { hearInMeasure } from './in-measure.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
const answer = { jsonrpc: '2.0', id: 1, result: {} } as const;

function listening() {
  let clock = 0;
  const heard: JSONRPCMessage[] = [];
  const transport = {} as Transport;
  hearInMeasure(transport, () => clock);
  transport.onmessage = (message) => void heard.push(message);
  const say = (message: JSONRPCMessage, times: number): number => {
    const before = heard.length;
    for (let n = 0; n < times; n++) transport.onmessage?.(message);
    return heard.length - before;
  };
  return { say, wait: (ms: number) => (clock += ms) };
}

test('a service is heard five hundred times at once, and as often again each second', () => {
  const { say, wait } = listening();
  expect(say(ping, 10_000)).toBe(500);
  wait(100);
  expect(say(ping, 10_000)).toBe(50);
  wait(3_600_000);
  expect(say(ping, 10_000)).toBe(500);
});

test('answers are always heard', () => {
  const { say } = listening();
  say(ping, 10_000);
  expect(say(answer, 10_000)).toBe(10_000);
});

test('who asks for the listener before there is one gets none', () => {
  const transport = {} as Transport;
  hearInMeasure(transport, () => 0);
  expect(transport.onmessage).toBeUndefined();
});
