import type { Role } from '@countersign/protocol/dashboard/roles';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { useSession } from '../session/session.ts';
import { focusFirstFault, Field } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { RoleChecks } from './change-roles.tsx';
import { InvitationLink } from './invitation-link.tsx';
import type { NewInvitation } from './queries.ts';

/** A name and roles first; then the link, this once. */
export function Invite({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewInvitation | null>(null);
  if (made !== null) return <InvitationLink made={made} onClose={onClose} />;
  return <Draft onClose={onClose} onMade={setMade} />;
}

function Draft({ onClose, onMade }: { onClose: () => void; onMade: (made: NewInvitation) => void }) {
  const { person: me } = useSession();
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly Role[]>([]);
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useDeed('POST /api/people/invitations', '/api/people');
  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    if (name.trim() === '' || roles.length === 0) return focusFirstFault(form);
    const made = await run({ body: { name: name.trim(), roles: [...roles] } });
    if (made !== null) onMade(made);
  };
  return (
    <FormSheet
      title="Invite somebody"
      submitLabel="Create link"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Others in this account see it next to what they do."
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={tried && name.trim() === '' ? 'Enter a name.' : null}
      />
      <RoleChecks mine={me.roles} chosen={roles} tried={tried} onChange={setRoles} />
    </FormSheet>
  );
}
