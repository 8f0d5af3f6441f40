import { isDeepStrictEqual } from 'node:util';
import { parseAddress } from '@countersign/protocol/address';
import { type Amount, formatAmount, parseAmount, toBaseUnits, zero } from '@countersign/protocol/amount';
import type { approvalRoutes } from '@countersign/protocol/dashboard/approvals';
import { spelledToken } from '@countersign/protocol/dashboard/spelling';
import { usdcOn } from '@countersign/protocol/dashboard/usdc';
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
  /** Every rule that it exceeds; absent where `reason` alone was told. */
  readonly reasons?: readonly string[];
  /** Whether the arguments came along, or their hash alone. */
  readonly argumentsSent: boolean;
};

/**
 * Reads what a gateway asks. The owner will sign a message that we make from the fields, so typed data that says
 * anything else is refused: what is shown, what was asked and what is signed are one and the same.
 */
export function readAskedPayment(body: BodyOf<typeof approvalRoutes.createApproval>): Answer<AskedPayment> {
  const { typedData, amount, reason, reasons, arguments: text, currency: named, ...fields } = body;
  const currency = spelledToken(named);
  const units = typedData.message['amount'];
  const chainId = typedData.domain['chainId'];
  if (typeof units !== 'string' || !/^(0|[1-9]\d{0,77})$/.test(units))
    return refusal(
      'INVALID_PARAM',
      'typedData.message.amount: must be an integer number of token units, as a string',
    );
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || chainId < 1)
    return refusal('INVALID_PARAM', 'typedData.domain.chainId: must be a chain ID');

  const argumentsHash = fields.argumentsHash as `0x${string}`;
  const message: PaymentMandateMessage = { ...fields, argumentsHash, amount: units };
  if (!isTypedDataOf(message, chainId, typedData))
    return refusal('INVALID_PARAM', 'typedData: must be the PaymentMandate that the other fields describe');
  if (text !== undefined && hashOfText(text) !== argumentsHash)
    return refusal('INVALID_PARAM', 'arguments: must be the text whose keccak256 is argumentsHash');
  const exact = parseAmount(amount) ?? zero;
  const asset = message.asset === usdcOn(chainId) ? 'USDC' : null;
  const misstated = misstatement({ currency, asset, exact, units: BigInt(units) });
  if (misstated !== null) return refusal('INVALID_PARAM', misstated);
  const argumentsSent = text !== undefined;
  const told = toldOf(reason, reasons);
  return ok({ message, chainId, amount: formatAmount(exact), currency, ...told, argumentsSent });
}

const toldOf = (reason: string, reasons: readonly string[] | undefined) =>
  reasons === undefined ? { reason } : { reason, reasons };

type Stated = {
  readonly currency: string;
  /** The asset, if we know it. */
  readonly asset: 'USDC' | null;
  readonly exact: Amount;
  readonly units: bigint;
};

/** Why an amount is not what the owner would sign; null where it is, or where nothing is known of its token. */
function misstatement({ currency, asset, exact, units }: Stated): string | null {
  if (asset !== null && currency !== asset) return `currency: must be ${asset}, which the asset is`;
  if (currency !== 'USDC' || toBaseUnits(exact, usdcDecimals) === units) return null;
  return 'amount: must equal typedData.message.amount, in USDC';
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
