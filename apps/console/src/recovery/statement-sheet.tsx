import {
  recoveryTypedData,
  type RecoveryMessages,
  type RecoveryStatement,
} from '@countersign/protocol/dashboard/recovery-statement';
import type { ComponentProps } from 'react';
import { SigningSheet } from '../wallet/signing-sheet.tsx';

const words = {
  accountId: 'Account',
  wallet: 'Wallet',
  recoveryAddress: 'Recovery address',
  recoveringAccountId: 'Your account',
  id: 'What you object to',
  nonce: 'Counts once',
};

type Props = Omit<ComponentProps<typeof SigningSheet>, 'typedData' | 'words'> & {
  readonly statement: RecoveryStatement;
  readonly message: RecoveryMessages[RecoveryStatement];
  readonly chainId: number;
};

/** A statement about recovery as the wallet is asked for it. */
export function StatementSheet({ statement, message, chainId, ...props }: Props) {
  const typedData = recoveryTypedData(statement, message, chainId);
  return <SigningSheet {...props} typedData={typedData} words={words} />;
}
