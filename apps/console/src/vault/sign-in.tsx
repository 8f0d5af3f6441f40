import { type FormEvent, useState } from 'react';
import { useAct } from '../api/deed.ts';
import { Button } from '../ui/button.tsx';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { typedText } from '../ui/typed-text.ts';
import { signInToVault } from './session.ts';

type Names = { readonly username: string; readonly password: string };

/** The vault has users of its own: whoever holds the wallet does not thereby hold the secrets. */
export function VaultSignIn({ ended }: { ended: boolean }) {
  const [tried, setTried] = useState<Names | null>(null);
  const { busy, problem, run } = useAct(({ username, password }: Names) => signInToVault(username, password));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const password = new FormData(form).get('password');
    const names = {
      username: typedText(form, 'username'),
      password: typeof password === 'string' ? password : '',
    };
    setTried(names);
    if (names.username === '' || names.password === '') return focusFirstFault(form);
    if (!busy) void run(names);
  };
  return (
    <section aria-label="Sign in to the vault" className="card mx-auto w-full max-w-[440px] px-6 py-7">
      <h2 className="text-lg">Sign in to the vault</h2>
      <p className="mt-1 text-sm text-pretty text-muted">
        The vault has its own users. You stay signed in until you reload or close this page. No token is
        stored in this browser.
      </p>
      <form noValidate onSubmit={submit} className="mt-6 grid gap-5">
        {ended && problem === null && (
          <Notice tone="warn">Your vault session has ended. Sign in again.</Notice>
        )}
        <Field
          label="User name"
          name="username"
          autoComplete="username"
          spellCheck={false}
          maxLength={128}
          error={tried?.username === '' ? 'Enter your user name.' : null}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={1024}
          error={tried?.password === '' ? 'Enter your password.' : null}
        />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
        <Button kind="primary" submit busy={busy} className="min-h-10">
          Sign in to the vault
        </Button>
      </form>
    </section>
  );
}
