import {
  recoveryTypedData,
  type RecoveryMessages,
  type RecoveryStatement,
} from '@countersign/protocol/dashboard/recovery';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import type { Problem } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SigningSheet } from '../wallet/signing-sheet.tsx';

const words = {
  accountId: 'Account',
  wallet: 'Wallet',
  recoveryAddress: 'Recovery address',
  recoveringAccountId: 'Your account',
  id: 'What you object to',
  nonce: 'Counts once',
};

export type Proof = { readonly nonce: string; readonly signature: string };

type Props<S extends RecoveryStatement> = {
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  readonly statement: S;
  /** What is signed, but for the nonce; null: not yet complete, as the caller says beside it. */
  readonly message: () => Omit<RecoveryMessages[S], 'nonce'> | null;
  /** Hands the signature in; null, or why it was not taken. */
  readonly send: (proof: Proof) => Promise<Problem | null>;
  /** What is said once it was taken. */
  readonly done: string;
  readonly children: ReactNode;
};

/** A button for something that takes one signature about recovery, which counts once. */
export function SignStatement<S extends RecoveryStatement>(props: Props<S>) {
  const { label, kind, statement, message, send, done, children } = props;
  const queries = useQueryClient();
  const terms = useDeed('POST /api/auth/nonce');
  const [asked, setAsked] = useState<{ nonce: string; chainId: number; message: RecoveryMessages[S] } | null>(
    null,
  );
  const begin = async () => {
    const said = message();
    if (said === null) return;
    const given = await terms.run({});
    if (given !== null)
      setAsked({ ...given, message: { ...said, nonce: given.nonce } as unknown as RecoveryMessages[S] });
  };
  const handIn = async (nonce: string, signature: string) => {
    const refused = await send({ nonce, signature });
    if (refused !== null) return refused;
    showToast({ tone: 'ok', text: done });
    void refresh(queries, '/api/recovery');
    setAsked(null);
    return null;
  };
  return (
    <>
      <Button {...(kind !== undefined && { kind })} busy={terms.busy} onClick={() => void begin()}>
        {label}
      </Button>
      {terms.problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {terms.problem}
        </p>
      )}
      {asked !== null && (
        <SigningSheet
          typedData={recoveryTypedData(statement, asked.message, asked.chainId)}
          words={words}
          send={(signature) => handIn(asked.nonce, signature)}
          onClose={() => setAsked(null)}
        >
          {children}
        </SigningSheet>
      )}
    </>
  );
}
