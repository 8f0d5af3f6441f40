import { isIP } from 'node:net';
import { membership } from '../channel/networks.ts';

/**
 * Addresses that are not public unicast: RFC 6890 and the IANA registries, including the forms in which IPv6
 * embeds IPv4.
 */
const notPublic: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Of IPv6, 2000::/3 alone is given out.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];

export type AddressRule = { readonly permits: (address: string) => boolean };

/** Permits private addresses as well, for operators who have allowed them. */
export const anyAddress: AddressRule = { permits: (address) => isIP(address) !== 0 };

/** Which addresses may be dialled: public ones, and what `allowPrivate` (addresses and CIDRs) names. */
export function addressRule(allowPrivate: readonly string[]): AddressRule {
  const [refused, allowed] = [membership(notPublic), membership(allowPrivate)];
  return { permits: (address) => isIP(address) !== 0 && (allowed(address) || !refused(address)) };
}
