import { BlockList, isIP } from 'node:net';

/** IANA special-purpose ranges that lead to this machine, this network or nowhere. */
const [inside4, inside6] = [new BlockList(), new BlockList()];
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside4.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside6.addSubnet(network, prefix, 'ipv6');

/**
 * Whether a host of a URL says by itself that it is private: an address, or a name that is always this machine's. Told when a
 * webhook is made; what a name resolves to is checked at each connection.
 */
export function isPrivateTarget(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) === 4) return inside4.check(host, 'ipv4');
  if (isIP(host) === 6) return inside6.check(host, 'ipv6');
  return /(^|\.)(localhost|local|internal)$/i.test(host) || !host.includes('.');
}
