import { z } from 'zod';
import { addressText } from '../address.ts';
import { legibleName } from '../legible-name.ts';
import { parseUrl } from '../url.ts';
import { agentNetwork } from './agent-wallet.ts';
import { firstWord } from './compliance.ts';
import { businessCheck } from './kyb.ts';
import { domainProof } from './payee-domain.ts';
import { registryNumber } from './registry-number.ts';

const time = z.iso.datetime();

/** `waiting`: a second operator has to agree. `expired`: its end is over. Decided by the clock when asked. */
export const payeeState = z.enum(['waiting', 'admitted', 'expired', 'withdrawn']);
export type PayeeState = z.infer<typeof payeeState>;

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const isDomain = (text: string): boolean =>
  text.length <= 253 &&
  text.includes('.') &&
  text.split('.').every((each) => label.test(each)) &&
  !/^\d+$/.test(text.slice(text.lastIndexOf('.') + 1)) &&
  // Written otherwise, it is asked somewhere else, or nowhere.
  parseUrl(`https://${text}`)?.hostname === text;

/** A host name as it is registered; letters of other scripts in their ASCII form. */
export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .refine(isDomain, 'must be a domain name such as shop.example, in its ASCII form');

const link = z
  .string()
  .max(2048)
  .refine((text) => {
    const url = parseUrl(text);
    return url?.protocol === 'https:' && url.username === '' && url.password === '';
  }, 'must be an https URL without a password');

/** A payee's payout address. `networks` are CAIP-2 ids; null for any EVM network. */
export const payoutAddress = z.object({
  address: addressText,
  networks: z.nullable(z.array(agentNetwork).min(1).max(20)),
});
export type PayoutAddress = z.infer<typeof payoutAddress>;

const payoutAddresses = z
  .array(payoutAddress)
  .min(1)
  .max(50)
  .refine(
    (all) => new Set(all.map(({ address }) => address)).size === all.length,
    'must name each address once',
  )
  .refine(
    (all) => all.every(({ address }) => !/^0x0+$/.test(address)),
    'must not name the zero address, which nobody owns',
  );

/** The facts that an operator has verified about a business. */
export const payeeFacts = z.object({
  legalName: legibleName(z.string().min(1).max(200)),
  domain,
  addresses: payoutAddresses,
  links: z.array(link).max(20).default([]),
  registryNumbers: z.array(registryNumber).max(20).default([]),
  /** Exclusive. At most ten years from now. */
  validUntil: time,
});
export type PayeeFacts = z.output<typeof payeeFacts>;

/** The version as submitted. The texts of an erased record that never counted are empty. */
const version = payeeFacts.extend({
  legalName: z.string(),
  version: z.int(),
  domain: z.string(),
  links: z.array(z.string()),
  registryNumbers: z.array(z.string()),
  /** Wallet of the operator who wrote it. */
  checkedBy: addressText,
  checkedAt: time,
});

/** Largest file, so that it fits a request in base64. */
export const maxFileBytes = 180 * 1024;
export const maxFiles = 10;

export const fileTypes = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain'] as const;

const file = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.enum(fileTypes),
  /** In bytes. */
  size: z.int(),
  addedBy: addressText,
  addedAt: time,
  /** Null until it was erased: then its name is empty, and its contents are gone. */
  erasedAt: z.nullable(time),
});
export type PayeeFile = z.infer<typeof file>;

/** A file to add to a record. `content` is base64. */
export const newFile = z.object({
  name: legibleName(z.string().min(1).max(128)),
  mediaType: z.enum(fileTypes),
  content: z
    .base64()
    .min(1)
    .max(Math.ceil(maxFileBytes / 3) * 4),
});

/** A business record as operators see it: what counts or counted last; of one that was never admitted, what is proposed. */
export const payee = version.extend({
  id: z.string(),
  state: payeeState,
  createdAt: time,
  /** A version that waits for a second operator; of a record that was never admitted, this is it. */
  proposal: z.nullable(version.extend({ firstWord: z.nullable(firstWord) })),
  withdrawal: z.nullable(z.object({ by: addressText, reason: z.string(), at: time })),
  files: z.array(file),
  /**
   * What the domains of the current version and of the proposal state about the addresses. Admission never
   * depends on it alone.
   */
  domainProofs: z.array(domainProof),
  /** Checks by providers, newest first. */
  checks: z.array(businessCheck),
  /** The submission of a business that it came from, the newest where there are several. */
  submission: z.nullable(z.object({ id: z.string(), walletAddress: addressText })),
});
export type Payee = z.infer<typeof payee>;

/** Why an address is vouched for, or not. */
export const vouching = z.enum([
  'VOUCHED',
  'NO_RECORD',
  'RECORD_WAITING',
  'RECORD_EXPIRED',
  'RECORD_WITHDRAWN',
  'ADDRESS_CHANGED',
  'OTHER_NETWORK',
  // Its domain vouched for it, and has taken that back.
  'DOMAIN_MOVED',
  'ADDRESS_DISOWNED',
  // A provider that was asked to check it says no.
  'CHECK_REJECTED',
  'OWNER_NOT_APPROVED',
]);
export type Vouching = z.infer<typeof vouching>;

/** An error in an imported file. `row` counts from 1; the header is row 1. */
export const importFault = z.object({ row: z.int(), field: z.nullable(z.string()), problem: z.string() });
export type ImportFault = z.infer<typeof importFault>;

export const payeeReviewState = z.enum(['pending', 'turned-away', 'admitted']);
export type PayeeReviewState = z.infer<typeof payeeReviewState>;

/** A payee that a payment was refused for. All that is told of it is the word of the gateway whose report opened the review. */
export const payeeReview = z.object({
  payee: addressText,
  state: payeeReviewState,
  serviceName: z.string(),
  toolName: z.nullable(z.string()),
  /** Host of the service that the gateway called. */
  host: z.nullable(z.string()),
  chain: z.string(),
  /** Decimal text of whole tokens. */
  amount: z.nullable(z.string()),
  tokenSymbol: z.nullable(z.string()),
  /** 1 pass, 0 fail or unchecked. */
  kytResult: z.nullable(z.int()),
  kytRiskLevel: z.nullable(z.int()),
  /** Wallet of the account whose payment opened it. */
  openedBy: addressText,
  /** The number of accounts that tried to pay it. */
  reporters: z.int(),
  /** The number of payments refused for this reason. */
  refusals: z.int(),
  openedAt: time,
  lastAt: time,
  decidedAt: z.nullable(time),
  decidedBy: z.nullable(addressText),
  reason: z.nullable(z.string()),
});
export type PayeeReview = z.infer<typeof payeeReview>;
