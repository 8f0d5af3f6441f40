import { expect, test } from 'vitest';
import { addressRule } from './addresses.ts';

const none = addressRule([]);

test.each([
  ['127.0.0.1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['169.254.169.254', 'metadata'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.100.100.200', 'metadata'],
  ['0.0.0.0', 'this host'],
  ['224.0.0.251', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'nothing'],
  ['::1', 'loopback'],
  ['fe80::1', 'link-local'],
  ['fd00:ec2::254', 'metadata'],
  ['ff02::1', 'multicast'],
  ['::ffff:127.0.0.1', 'IPv4 in IPv6'],
  ['::ffff:8.8.8.8', 'IPv4 in IPv6'],
  ['::127.0.0.1', 'IPv4 in IPv6'],
  ['64:ff9b::a9fe:a9fe', 'NAT64'],
  ['64:ff9b:1::1', 'NAT64 of a network'],
  ['2002:7f00:1::', '6to4'],
  ['2001:0:4136:e378::', 'Teredo'],
  ['fe80::1%eth0', 'with a zone'],
  ['example.com', 'no address'],
])('%s (%s) is not dialled [vault.sandbox.isolation.private-addresses]', (address) => {
  expect(none.permits(address)).toBe(false);
});

test.each(['8.8.8.8', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  (address) => {
    expect(none.permits(address)).toBe(true);
  },
);

test('what is named is dialled, and nothing beside it [vault.sandbox.isolation.private-addresses]', () => {
  const rule = addressRule(['10.1.0.0/16', '127.0.0.1', 'fd00::/8']);
  expect(['10.1.2.3', '127.0.0.1', 'fd12::1'].map(rule.permits)).toEqual([true, true, true]);
  expect(['10.2.0.1', '127.0.0.2', 'fe80::1'].map(rule.permits)).toEqual([false, false, false]);
});
