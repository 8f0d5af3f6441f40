import { isDeepStrictEqual } from 'node:util';
import { parseAddress } from '@countersign/protocol/address';
import { formatAmount, parseAmount, toBaseUnits, zero } from '@countersign/protocol/amount';
import type { approvalRoutes } from '@countersign/protocol/dashboard/approvals';
import {
  type PaymentMandateMessage,
  paymentMandateDomain,
  paymentMandateTypedData,
  paymentMandateTypes,
} from '@countersign/protocol/gateway/payment-mandate';
import { ok } from '@countersign/protocol/result';
import type { BodyOf } from '@countersign/protocol/route';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { type Answer, refusal } from '../refusal.ts';

/** The payment that an owner is asked about. `message.amount` is in token units, `amount` the same as a decimal. */
export type AskedPayment = {
  readonly message: PaymentMandateMessage;
  readonly chainId: number;
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
  /** Whether the arguments came along, or their hash alone. */
  readonly argumentsSent: boolean;
};

/**
 * Reads what a gateway asks. The owner will sign a message that we make from the fields, so typed data that says
 * anything else is refused: what is shown, what was asked and what is signed are one and the same.
 */
export function readAskedPayment(body: BodyOf<typeof approvalRoutes.createApproval>): Answer<AskedPayment> {
  const { typedData, amount, currency, reason, arguments: text, ...fields } = body;
  const units = typedData.message['amount'];
  const chainId = typedData.domain['chainId'];
  if (typeof units !== 'string' || !/^(0|[1-9]\d{0,77})$/.test(units))
    return refusal('INVALID_PARAM', 'typedData.message.amount: must be an integer of token units, as text');
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || chainId < 1)
    return refusal('INVALID_PARAM', 'typedData.domain.chainId: must be the number of a chain');

  const argumentsHash = fields.argumentsHash as `0x${string}`;
  const message: PaymentMandateMessage = { ...fields, argumentsHash, amount: units };
  if (!isTypedDataOf(message, chainId, typedData))
    return refusal('INVALID_PARAM', 'typedData: must be the PaymentMandate of the other fields');
  if (text !== undefined && hashOfText(text) !== argumentsHash)
    return refusal('INVALID_PARAM', 'arguments: must be the text whose keccak256 is argumentsHash');
  const exact = parseAmount(amount) ?? zero;
  if (currency === 'USDC' && toBaseUnits(exact, usdcDecimals) !== BigInt(units))
    return refusal('INVALID_PARAM', 'amount: must equal typedData.message.amount, in USDC');
  const argumentsSent = text !== undefined;
  return ok({ message, chainId, amount: formatAmount(exact), currency, reason, argumentsSent });
}

const hashOfText = (text: string): string => `0x${Buffer.from(keccak256(text)).toString('hex')}`;

const usdcDecimals = 6;

type TypedData = BodyOf<typeof approvalRoutes.createApproval>['typedData'];

/** Addresses may be written in any case, and the type of the domain may be left out: neither changes the hash. */
function isTypedDataOf(message: PaymentMandateMessage, chainId: number, sent: TypedData): boolean {
  const expected = paymentMandateTypedData(message, chainId);
  const checksummed = ['payer', 'payTo', 'asset'].map((name) => {
    const address = sent.message[name];
    return [name, typeof address === 'string' ? (parseAddress(address) ?? address) : address];
  });
  const written = {
    ...sent,
    types: { EIP712Domain: expected.types.EIP712Domain, ...sent.types },
    message: { ...sent.message, ...Object.fromEntries(checksummed) },
  };
  return isDeepStrictEqual(written, expected);
}

const hashPaymentMandate = typedDataHasher('PaymentMandate', paymentMandateTypes.PaymentMandate);

/** The EIP-712 hash of exactly this payment, as its payer signs it. */
export const hashOfPayment = ({ message, chainId }: AskedPayment): Uint8Array =>
  hashPaymentMandate(paymentMandateDomain(chainId), message);
