import { getAddress } from 'viem';
import { createSiweMessage } from 'viem/siwe';

type About = {
  readonly account: string;
  readonly host: string;
  readonly origin: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly statement: string;
  readonly now: Date;
};

/** EIP-4361. Loaded only by who signs in: the checksum of an address needs a hash. */
export const signInMessage = (about: About): string =>
  createSiweMessage({
    domain: about.host,
    address: getAddress(about.account),
    statement: about.statement,
    uri: about.origin,
    version: '1',
    chainId: about.chainId,
    nonce: about.nonce,
    issuedAt: about.now,
  });
