import type { PayeeFacts, PayoutAddress } from '@countersign/protocol/dashboard/payees';

/**
 * Whether a version vouches for nothing for which the one before it did not, and says the same of who it is: one operator
 * may write it at once, also where two have to agree.
 */
export const narrows = (before: PayeeFacts, after: PayeeFacts): boolean =>
  who(before) === who(after) &&
  Date.parse(after.validUntil) <= Date.parse(before.validUntil) &&
  after.addresses.every((each) => before.addresses.some((was) => within(each, was)));

const who = ({ legalName, domain, links, registryNumbers }: PayeeFacts): string =>
  JSON.stringify([legalName, domain, links, registryNumbers]);

const within = ({ address, networks }: PayoutAddress, was: PayoutAddress): boolean =>
  address === was.address &&
  (was.networks === null || (networks?.every((network) => was.networks?.includes(network)) ?? false));
