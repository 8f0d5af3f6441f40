import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck, Hourglass } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../api/queries.ts';
import { ownStatus } from '../compliance/queries.ts';
import { hidesFirstSteps, rememberFirstStepsHidden } from '../session/memory.ts';
import { useSession } from '../session/session.ts';
import { buttonLook, Button } from '../ui/button.tsx';
import { Section } from '../ui/page.tsx';
import { useNow } from '../ui/time.tsx';
import { type Known, type StepName, stepNames, type StepState, stepsOf } from './steps.ts';
import { aboutStep } from './words.ts';

const mine = { scope: 'myPayer', limit: 1 } as const;
/** A gateway that begins to use its key is told by no event. */
const often = { refetchInterval: 10_000 };

/** Lists a new owner's first steps and their progress; empty once all are done, or for whoever hid it. */
export function FirstSteps() {
  const { account, operator, person } = useSession();
  const [hidden, setHidden] = useState(hidesFirstSteps(account.id));
  if (hidden || operator || !person.holder) return null;
  const hide = () => {
    rememberFirstStepsHidden(account.id);
    setHidden(true);
  };
  return <List onHide={hide} />;
}

function useKnown(): Known | null {
  const [identity, overview, keys, records, paid, approvals, site] = useQueries({
    queries: [
      ownStatus,
      ask('GET /api/overview', {}),
      { ...ask('GET /api/keys', {}), ...often },
      ask('GET /api/transactions', { query: mine }),
      ask('GET /api/transactions', { query: { ...mine, serviceResult: 'pass' } }),
      ask('POST /api/approvals/list', { body: { limit: 1 } }),
      ask('GET /api/site', {}),
    ],
  });
  const all = [identity, overview, keys, records, paid, approvals, site];
  if (all.some(({ data }) => data === undefined)) return null;
  if (!identity.data || !overview.data || !keys.data || !records.data) return null;
  if (!paid.data || !approvals.data || !site.data) return null;
  return {
    identity: identity.data,
    hasActiveMandate: overview.data.activeMandate !== null,
    keys: keys.data.data,
    hasAsked: records.data.data.length > 0 || approvals.data.total > 0,
    hasPaid: paid.data.data.length > 0,
    site: site.data,
  };
}

function List({ onHide }: { onHide: () => void }) {
  const known = useKnown();
  const now = useNow();
  if (known === null) return null;
  const steps = stepsOf(known, now);
  const done = stepNames.filter((name) => steps[name] === 'done').length;
  if (done === stepNames.length) return null;
  const actions = (
    <div className="flex items-center gap-3 text-sm text-muted">
      <span className="figures">
        {done} of {stepNames.length} done
      </span>
      <Button kind="quiet" onClick={onHide}>
        Hide
      </Button>
    </div>
  );
  return (
    <Section title="First steps" actions={actions}>
      <ol className="divide-y divide-line">
        {stepNames.map((name) => (
          <Step key={name} name={name} state={steps[name]} />
        ))}
      </ol>
    </Section>
  );
}

const icons = { open: Circle, waits: Hourglass, done: CircleCheck } as const;
const looks = { open: 'text-line-strong', waits: 'text-warn', done: 'text-ok' } as const;
const said = { open: 'to do', waits: 'in progress', done: 'done' } as const;

function Step({ name, state }: { name: StepName; state: StepState }) {
  const { title, does, waits, action, to } = aboutStep[name];
  const Icon = icons[state];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm">
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${looks[state]}`} />
        <div className="min-w-0">
          <p className={state === 'done' ? 'text-muted' : 'font-medium'}>
            {title}
            <span className="sr-only">, {said[state]}</span>
          </p>
          {state !== 'done' && <p className="text-pretty text-muted">{state === 'waits' ? waits : does}</p>}
        </div>
      </div>
      {action !== null && to !== null && (state !== 'done' || name === 'client') && (
        <Link to={to} className={buttonLook('plain', 'max-sm:ml-7')}>
          {action}
        </Link>
      )}
    </li>
  );
}
