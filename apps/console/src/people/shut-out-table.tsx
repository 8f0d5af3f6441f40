import { useQuery } from '@tanstack/react-query';
import { useDeed } from '../api/deed.ts';
import { useMay } from '../session/session.ts';
import { Brief } from '../ui/brief.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { type ShutOut, shutOut } from './queries.ts';

const columns: readonly Column<ShutOut>[] = [
  { name: 'Stays out', cell: ({ name }) => <Brief text={name} /> },
  { name: 'Provider', wide: true, cell: ({ issuer }) => <Verbatim text={issuer} /> },
  { name: 'Removed', figures: true, cell: ({ shutOutAt }) => <Time at={shutOutAt} as="day" /> },
  { name: 'Action', cell: (each) => <LetBackIn {...each} /> },
];

function LetBackIn({ id, name }: ShutOut) {
  const may = useMay('letBackIn');
  const { busy, problem, run } = useDeed('DELETE /api/people/shut-out/:id', '/api/people');
  if (!may) return null;
  const letIn = async () => {
    if ((await run({ params: { id } })) !== null) showToast({ tone: 'ok', text: 'They may sign in again.' });
  };
  return (
    <>
      <Button busy={busy} aria-label={`Let ${name} back in`} onClick={() => void letIn()}>
        Let back in
      </Button>
      {problem !== null && <p role="alert">{problem}</p>}
    </>
  );
}

/** Who was removed and stays out, although the provider's groups would let them in; nothing where there is nobody. */
export function ShutOutTable() {
  const { data } = useQuery(shutOut);
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Table
      caption="Removed, and refused at the provider’s sign-in"
      columns={columns}
      rows={data.data}
      keyOf={({ id }) => id}
    />
  );
}
