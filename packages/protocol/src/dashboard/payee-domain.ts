import { z } from 'zod';
import { addressText } from '../address.ts';
import { agentNetwork } from './agent-wallet.ts';

/**
 * Path of the file in which a domain names its payout addresses:
 * `https://DOMAIN/.well-known/countersign-payee.json` (docs/spec/signatures.md, 6).
 */
export const payeeFilePath = '/.well-known/countersign-payee.json';
export const maxPayeeFileBytes = 64 * 1024;

/** EIP-712 domain of what a payout address says about a domain: nothing on a chain follows from it, so it names none. */
export const payeeDomainDomain = { name: 'Countersign Payee Domain', version: '1' } as const;

/** The payout address's statement: this domain is its own, on these networks, during this time. */
export const payeeDomainTypes = {
  PayeeDomain: [
    { name: 'domain', type: 'string' },
    { name: 'address', type: 'address' },
    { name: 'networks', type: 'string[]' },
    { name: 'notBefore', type: 'string' },
    { name: 'notAfter', type: 'string' },
  ],
} as const;

const time = z.iso.datetime();
/** From 1970 on, with nanoseconds at most: a time that any database takes. */
const signedTime = time.max(30).refine((text) => Date.parse(text) >= 0);

/** One entry of the file: the five signed texts, verbatim, and the signature. */
export const payeeDomainProof = z.strictObject({
  domain: z.string().max(253),
  address: addressText,
  /** CAIP-2 ids; none: any EVM network. */
  networks: z.array(agentNetwork).max(20),
  /** From then on, inclusive. */
  notBefore: signedTime,
  /** Until then, exclusive. */
  notAfter: signedTime,
  signature: z.string().max(32_768),
});
export type PayeeDomainProof = z.infer<typeof payeeDomainProof>;

/** The file. An address has one entry. */
export const payeeDomainFile = z.strictObject({
  version: z.literal(1),
  proofs: z
    .array(payeeDomainProof)
    .max(100)
    .refine((all) => new Set(all.map(({ address }) => address)).size === all.length),
});

/** Ready for `eth_signTypedData_v4`. */
export const payeeDomainTypedData = (message: Omit<PayeeDomainProof, 'signature'>) =>
  ({
    domain: payeeDomainDomain,
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
      ],
      ...payeeDomainTypes,
    },
    primaryType: 'PayeeDomain',
    message,
  }) as const;

/**
 * What a domain said about an address when it was asked. `PROVED` alone is evidence. The first three are about the file:
 * nobody could be reached, it is not there (404 or 410), or the host sends to another. `UNREADABLE`: it is no such file.
 */
export const domainVerdict = z.enum([
  'PROVED',
  'UNREACHABLE',
  'NO_FILE',
  'REDIRECTED',
  'UNREADABLE',
  'NOT_NAMED',
  'OTHER_DOMAIN',
  'OTHER_NETWORK',
  'SIGNATURE_INVALID',
  'NOT_YET_VALID',
  'PROOF_EXPIRED',
]);
export type DomainVerdict = z.infer<typeof domainVerdict>;

/** Why a domain that has vouched for an address no longer does: the record stops vouching for it. */
export const domainMark = z.enum(['DOMAIN_MOVED', 'ADDRESS_DISOWNED']);
export type DomainMark = z.infer<typeof domainMark>;

/** What a record's domain states about one of its addresses. */
export const domainProof = z.object({
  domain: z.string(),
  address: addressText,
  verdict: domainVerdict,
  /** Until when what it says is signed; null where nothing was read. */
  until: z.nullable(time),
  checkedAt: time,
  /** When it was proved last; null: never. */
  provedAt: z.nullable(time),
  mark: z.nullable(domainMark),
  markedAt: z.nullable(time),
});
export type DomainProof = z.infer<typeof domainProof>;
