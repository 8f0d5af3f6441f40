import type { Address } from '@countersign/protocol/address';
import { seesEverybodys } from '@countersign/protocol/dashboard/who-may';
import type { Person } from '../people/person.ts';
import { refusal } from '../refusal.ts';
import type { Account } from '../accounts/account.ts';

/** Wallets of the operators. */
export type Operators = ReadonlySet<Address>;

/** The settings of operators' decisions about identities and the deny list. */
export type ReviewConfig = {
  /** So many days an approval of theirs counts. */
  readonly validDays: number;
  /** Two of them have to agree before somebody may pay. */
  readonly fourEyes: boolean;
};

export const isOperator = (operators: Operators, account: Account): boolean =>
  operators.has(account.walletAddress);

type Eye = { readonly account: Account; readonly person: Person };

/**
 * Returns whether somebody sees what is everybody's: of an operator's account those whose role reads there.
 */
export const isOperatorsEye = (operators: Operators, { account, person }: Eye): boolean =>
  isOperator(operators, account) && seesEverybodys(person);

export const operatorsOnly = () => refusal('UNAUTHORIZED_OPERATION', 'only operators may do this');
