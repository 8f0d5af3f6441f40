import type { RecoveryMessages, RecoveryStatement } from '@countersign/protocol/dashboard/recovery-statement';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useDeed } from '../api/deed.ts';
import type { Problem } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toasts.tsx';

// What signs is loaded when something is to be signed.
const StatementSheet = lazy(async () => ({
  default: (await import('./statement-sheet.tsx')).StatementSheet,
}));

export type Proof = { readonly nonce: string; readonly signature: string };

type Said<S extends RecoveryStatement> = Omit<RecoveryMessages[S], 'nonce'>;

type Props<S extends RecoveryStatement> = {
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  readonly statement: S;
  /**
   * Returns the message to sign, without its nonce; null while it is incomplete, as the caller then explains.
   */
  readonly message: () => Said<S> | null | Promise<Said<S> | null>;
  /** Hands the signature in; null, or why it was not taken. */
  readonly send: (proof: Proof) => Promise<Problem | null>;
  /** The text after it was accepted. */
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
    const said = await message();
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
        <Suspense fallback={null}>
          <StatementSheet
            statement={statement}
            message={asked.message}
            chainId={asked.chainId}
            send={(signature) => handIn(asked.nonce, signature)}
            onClose={() => setAsked(null)}
          >
            {children}
          </StatementSheet>
        </Suspense>
      )}
    </>
  );
}
