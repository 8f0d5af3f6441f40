import type { Role } from '@countersign/protocol/dashboard/roles';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { useSession } from '../session/session.ts';
import { Checks } from '../ui/checks.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import type { Person } from './queries.ts';
import { offersOf, roleNames } from './roles.ts';

type Props = { readonly person: Person; readonly onDone: () => void; readonly onClose: () => void };

/** Other roles for somebody, none higher than one's own. */
export function ChangeRoles({ person, onDone, onClose }: Props) {
  const { person: me } = useSession();
  const [chosen, choose] = useState<readonly Role[]>(person.roles);
  const { busy, problem, run } = useDeed('POST /api/people/:id/roles', '/api/people');
  const submit = async () => {
    if (chosen.length === 0) return;
    if ((await run({ params: { id: person.id }, body: { roles: [...chosen] } })) === null) return;
    showToast({ tone: 'ok', text: 'Roles changed.' });
    onDone();
  };
  return (
    <FormSheet
      title="Change roles"
      submitLabel="Change roles"
      busy={busy}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <RoleChecks mine={me.roles} chosen={chosen} tried onChange={choose} />
    </FormSheet>
  );
}

type RoleProps = {
  readonly mine: readonly Role[];
  readonly chosen: readonly Role[];
  /** Whether it is time to say that one is missing. */
  readonly tried: boolean;
  readonly onChange: (roles: readonly Role[]) => void;
};

/** The roles that one may give. */
export const RoleChecks = ({ mine, chosen, tried, onChange }: RoleProps) => (
  <Checks
    label="Roles"
    options={offersOf(mine)}
    nameOf={(role) => roleNames[role]}
    chosen={chosen}
    error={tried && chosen.length === 0 ? 'Choose at least one role.' : null}
    onChange={onChange}
  />
);
