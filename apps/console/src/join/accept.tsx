import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import type { AnswerOf } from '../api/endpoint.ts';
import { acceptInvitation, hasPasskeys } from '../session/sign-in-as-person.ts';
import { Button } from '../ui/button.tsx';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

type Props = {
  readonly token: string;
  readonly invitation: AnswerOf<'POST /api/invitations/look'>;
  readonly onDone: () => void;
};

type Way = 'passkey' | 'password';
type Password = { readonly userName: string; readonly password: string };

/** Asks for a name, and for a passkey or a user name and password. */
export function Accept({ token, invitation, onDone }: Props) {
  const [name, setName] = useState(invitation.name);
  const [busy, setBusy] = useState<Way | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const accept = async (password: Password | null) => {
    setBusy(password === null ? 'passkey' : 'password');
    setProblem(null);
    const answer = await acceptInvitation(token, { name: name.trim() || invitation.name, password });
    setBusy(null);
    if (answer.ok) onDone();
    else setProblem(answer.error);
  };
  return (
    <>
      {!invitation.renews && (
        <Field
          label="Your name"
          hint="Others in this account see it next to what you do."
          maxLength={64}
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      {hasPasskeys() && (
        <Button kind="primary" busy={busy === 'passkey'} onClick={() => void accept(null)}>
          <Fingerprint aria-hidden="true" />
          Create a passkey
        </Button>
      )}
      <ByPassword busy={busy === 'password'} onSubmit={(password) => void accept(password)} />
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </>
  );
}

const minLength = 12;

function ByPassword({ busy, onSubmit }: { busy: boolean; onSubmit: (password: Password) => void }) {
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const tooShort = Array.from(password).length < minLength;
  const submit = (form: HTMLFormElement) => {
    setTried(true);
    if (userName.trim() === '' || tooShort) return focusFirstFault(form);
    if (!busy) onSubmit({ userName, password });
  };
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      <Field
        label="User name"
        hint="Letters, digits and . _ - @ +"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={userName}
        onChange={(event) => setUserName(event.target.value)}
        error={tried && userName.trim() === '' ? 'Choose a user name.' : null}
      />
      <Field
        label="Password"
        hint={`At least ${minLength} characters.`}
        type="password"
        autoComplete="new-password"
        maxLength={256}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={tried && tooShort ? `Choose at least ${minLength} characters.` : null}
      />
      <Button submit busy={busy}>
        Use a password
      </Button>
    </form>
  );
}
