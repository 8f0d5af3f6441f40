import { z } from 'zod';
import { type Address, addressText, parseAddress } from '../address.ts';
import { decimalText } from '../amount.ts';
import { signedLimits } from './signed-limits.ts';

/** EIP-712 parameters of the intent mandate (spec: dashboard.typed-data). Never taken from a credential. */
export const intentMandateTypes = {
  IntentMandate: [
    { name: 'id', type: 'string' },
    { name: 'accountId', type: 'string' },
    { name: 'payerAddress', type: 'address' },
    { name: 'perTxLimit', type: 'string' },
    { name: 'totalBudget', type: 'string' },
    { name: 'expiresAt', type: 'string' },
  ],
} as const;

export const intentMandateDomain = (chainId: number) =>
  ({ name: 'Platform Intent Mandate', version: '1', chainId }) as const;

/** The message that the owner signs. Every text is verbatim: `5` and `5.0` are different messages. */
export type IntentMandateMessage = {
  readonly id: string;
  readonly accountId: string;
  readonly payerAddress: Address;
  readonly perTxLimit: string;
  readonly totalBudget: string;
  readonly expiresAt: string;
};

/** Ready for `eth_signTypedData_v4`: plain JSON, with the domain type spelled out as wallets want it. */
export function intentMandateTypedData(message: IntentMandateMessage, chainId: number) {
  return {
    domain: intentMandateDomain(chainId),
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      ...intentMandateTypes,
    },
    primaryType: 'IntentMandate',
    message,
  } as const;
}

export const typedData = z.object({
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() })).readonly()),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
});

const money = z.object({ amount: decimalText, currency: z.string() });

/** Strings in the creation form, `{amount, currency}` in the form that `vc` returns. */
const budgetConstraints = z.union([
  z.object({ totalBudget: decimalText, perTransactionLimit: decimalText, currency: z.literal('USDC') }),
  z.object({ totalBudget: money, perTransactionLimit: money }),
]);

const proof = z.object({
  type: z.literal('EthereumEip712Signature2021'),
  created: z.iso.datetime({ offset: true }),
  verificationMethod: z.string(),
  proofPurpose: z.literal('assertionMethod'),
  eip712: z.object({
    domain: z.object({ name: z.string(), version: z.string(), chainId: z.number() }),
    types: z.record(z.string(), z.unknown()),
    primaryType: z.string(),
  }),
  proofValue: z.string(),
});

const unsigned = z.object({
  '@context': z.array(z.unknown()),
  type: z.array(z.string()),
  issuer: z.string(),
  issuanceDate: z.iso.datetime({ offset: true }),
  expirationDate: z.iso.datetime({ offset: true }).optional(),
  credentialSubject: z.object({
    mandateId: z.string(),
    accountId: z.string(),
    payer: z.object({ address: addressText, platformId: z.string() }),
    budgetConstraints,
    title: z.string(),
  }),
});

/** Mandate credential without its proof, in either form (spec: dashboard.credential). */
export const unsignedMandateCredential = unsigned;
export type UnsignedMandateCredential = z.infer<typeof unsigned>;

/** Mandate credential, in either form. */
export const mandateCredential = unsigned.extend({ proof });
export type MandateCredential = z.infer<typeof mandateCredential>;

/** `did:ethr:eip155:<chainId>:<address>`: issuer of a mandate credential. */
export const payerDid = (chainId: number, payer: Address): string => `did:ethr:eip155:${chainId}:${payer}`;

/** Reads `did:ethr:eip155:<chainId>:<address>`, with or without `#controller`; null for any other text. */
export function parsePayerDid(text: string): { chainId: number; address: Address } | null {
  const match = /^did:ethr:eip155:([1-9]\d{0,14}):(0x[0-9a-fA-F]{40})(#controller)?$/.exec(text);
  if (match === null) return null;
  const address = parseAddress(match[2] ?? '');
  return address === null ? null : { chainId: Number(match[1]), address };
}

/** The message that must have been signed, from `credentialSubject` and the mandate's `expiresAt` alone. */
export function rebuildMandateMessage(
  credential: UnsignedMandateCredential,
  expiresAt: string,
): IntentMandateMessage {
  const { mandateId, accountId, payer } = credential.credentialSubject;
  return { id: mandateId, accountId, payerAddress: payer.address, ...signedLimits(credential), expiresAt };
}

/** The creation form: what the owner reads before signing. Times are ISO 8601. `owner`: who signs, where an agent pays. */
export function buildMandateCredential(
  message: IntentMandateMessage,
  about: { chainId: number; platformId: string; title: string; issuedAt: string; owner?: Address },
): UnsignedMandateCredential {
  return {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential', 'PlatformIntentMandate'],
    issuer: payerDid(about.chainId, about.owner ?? message.payerAddress),
    issuanceDate: about.issuedAt,
    expirationDate: message.expiresAt,
    credentialSubject: {
      mandateId: message.id,
      accountId: message.accountId,
      payer: { address: message.payerAddress, platformId: about.platformId },
      budgetConstraints: {
        totalBudget: message.totalBudget,
        perTransactionLimit: message.perTxLimit,
        currency: 'USDC',
      },
      title: about.title,
    },
  };
}

/** Adds the owner's signature as the proof; `payer` is the wallet that made it. `created` is ISO 8601. */
export function proveMandateCredential(
  credential: UnsignedMandateCredential,
  about: { chainId: number; payer: Address; created: string; signature: string },
): MandateCredential {
  return {
    ...credential,
    proof: {
      type: 'EthereumEip712Signature2021',
      created: about.created,
      verificationMethod: `${payerDid(about.chainId, about.payer)}#controller`,
      proofPurpose: 'assertionMethod',
      eip712: {
        domain: intentMandateDomain(about.chainId),
        types: { ...intentMandateTypes },
        primaryType: 'IntentMandate',
      },
      proofValue: about.signature,
    },
  };
}

/** The form that `POST /api/mandates/intent/vc` returns: the same texts, as `{amount, currency}`. */
export function returnedForm(credential: MandateCredential): MandateCredential {
  const { perTxLimit, totalBudget } = signedLimits(credential);
  const inUsdc = (amount: string) => ({ amount, currency: 'USDC' });
  return {
    ...credential,
    credentialSubject: {
      ...credential.credentialSubject,
      budgetConstraints: { totalBudget: inUsdc(totalBudget), perTransactionLimit: inUsdc(perTxLimit) },
    },
  };
}
