import { Building2, Fingerprint } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Result } from '@countersign/protocol/result';
import { leaveForProvider } from '../session/sign-in-by-provider.ts';
import { hasPasskeys, signInWithPasskey, signInWithPassword } from '../session/sign-in-as-person.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { providerName } from './provider.ts';

type Way = 'passkey' | 'password' | 'provider';

/** Signs in people of an account: through their provider, with a passkey, or with user name and password. */
export function AsPerson({ next, onDone }: { next: string | null; onDone: () => void }) {
  const provider = providerName();
  const [busy, setBusy] = useState<Way | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const enter = async (way: Way, signIn: () => Promise<Result<null, string>>) => {
    setBusy(way);
    setProblem(null);
    const answer = await signIn();
    setBusy(null);
    if (answer.ok) onDone();
    else setProblem(answer.error);
  };
  const leave = async () => {
    setBusy('provider');
    setProblem(null);
    const stayed = await leaveForProvider(next);
    if (stayed === null) return;
    setBusy(null);
    if (!stayed.ok) setProblem(stayed.error);
  };
  return (
    <section aria-labelledby="as-person" className="mt-8">
      <h2 id="as-person" className="text-base">
        {provider === null ? 'Invited to an account?' : 'Without a wallet'}
      </h2>
      {provider !== null && (
        <Button className="mt-3 w-full" busy={busy === 'provider'} onClick={() => void leave()}>
          <Building2 aria-hidden="true" />
          <span className="min-w-0">
            Sign in with <Verbatim text={provider} />
          </span>
        </Button>
      )}
      {hasPasskeys() && (
        <Button
          className="mt-3 w-full"
          busy={busy === 'passkey'}
          onClick={() => void enter('passkey', signInWithPasskey)}
        >
          <Fingerprint aria-hidden="true" />
          Sign in with a passkey
        </Button>
      )}
      <PasswordForm
        busy={busy === 'password'}
        onSubmit={(name, password) => void enter('password', () => signInWithPassword(name, password))}
      />
      {problem !== null && (
        <div className="mt-4">
          <Notice tone="bad">{problem}</Notice>
        </div>
      )}
    </section>
  );
}

type FormProps = { readonly busy: boolean; readonly onSubmit: (userName: string, password: string) => void };

function PasswordForm({ busy, onSubmit }: FormProps) {
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && userName !== '' && password !== '') onSubmit(userName, password);
  };
  return (
    <form noValidate onSubmit={submit} className="mt-4 grid gap-3">
      <Field
        label="User name"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={userName}
        onChange={(event) => setUserName(event.target.value)}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={256}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button submit busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
