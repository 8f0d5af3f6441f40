import type { Address } from '@countersign/protocol/address';
import { refusal } from '../refusal.ts';
import type { Account } from '../accounts/account.ts';

/** Wallets of the operators. */
export type Operators = ReadonlySet<Address>;

export const isOperator = (operators: Operators, account: Account): boolean =>
  operators.has(account.walletAddress);

export const operatorsOnly = () => refusal('UNAUTHORIZED_OPERATION', 'this is for operators');
