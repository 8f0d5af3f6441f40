import { BlockList, isIP } from 'node:net';
import { fail, ok, type Result } from '@countersign/protocol/result';

/** Reads an address or a CIDR, as in `SANDBOX_ALLOW_PRIVATE`: the launcher reads it, and tells the egress proxy. */
export function readNetwork(text: string): Result<string, string> {
  const { address, bits } = split(text);
  const maxBits = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && Number.isInteger(bits) && bits >= 0 && bits <= maxBits
    ? ok(text)
    : fail('must be addresses or CIDRs with commas between, like 10.1.0.0/16,127.0.0.1');
}

/**
 * Tells of an address whether it is in one of `networks`. Each family has its own list: in one list an IPv4 address would also be
 * looked for among the IPv6 forms of all of them.
 */
export function membership(networks: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const { address, bits } = split(network);
    lists[familyOf(address)].addSubnet(address, bits, familyOf(address));
  }
  return (address) => lists[familyOf(address)].check(address, familyOf(address));
}

function split(network: string): { address: string; bits: number } {
  const [address = '', bits, ...rest] = network.split('/');
  const all = isIP(address) === 4 ? 32 : 128;
  if (bits === undefined) return { address, bits: all };
  return { address, bits: rest.length === 0 && /^\d{1,3}$/.test(bits) ? Number(bits) : -1 };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
