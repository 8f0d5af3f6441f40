import type { BusinessCheck } from '@countersign/protocol/dashboard/kyb';
import { countries } from '@countersign/protocol/dashboard/countries';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { countryName, providerName } from '../compliance/names.ts';
import { providerStates } from '../compliance/queries.ts';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { legible } from '../ui/legible.ts';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';

/** The queries that a check's result makes stale. */
const outdated = ['/api/payees', '/api/business', '/api/compliance/history'] as const;

type Checked = { readonly id: string; readonly registryNumbers: readonly string[] };
type Props = { readonly checks: readonly BusinessCheck[]; readonly children: ReactNode };

/** Shows providers' findings about a business. They are evidence: only a negative one has an effect. */
function Checks({ checks, children }: Props) {
  const provider = useQuery(providerStates).data?.kyb ?? null;
  if (provider === null && checks.length === 0) return null;
  return (
    <section aria-label="Provider checks">
      <h3 className="text-base">Provider checks</h3>
      {checks.some((each) => each.rejectedAt !== null && each.liftedAt === null && each.version !== null) && (
        <Notice tone="bad">
          A provider’s check was negative, so payments by the version that it checked are refused. They resume
          once it is positive, or once you change the record and add what you have verified, such as a link.
        </Notice>
      )}
      {checks.length === 0 && <p className="mt-1 text-sm text-muted">No provider has checked it yet.</p>}
      {checks.map((check) => (
        <Said key={check.id} check={check} />
      ))}
      {provider !== null && children}
    </section>
  );
}

function Said({ check }: { readonly check: BusinessCheck }) {
  const { id, provider, status, providerFile, version, startedAt, checkedAt, openUntil } = check;
  const { rejectedAt, liftedAt } = check;
  const again = useDeed('POST /api/business/checks/:id/read', ...outdated);
  return (
    <>
      <Facts>
        <Fact name="Provider">{providerName(provider)}</Fact>
        <Fact name="It says">{statusWords[status]}</Fact>
        {providerFile !== null && (
          <Fact name="Its file">
            <Verbatim text={providerFile} />
          </Fact>
        )}
        {version !== null && <Fact name="Checked version">{version}</Fact>}
        <Fact name="Started">
          <Time at={startedAt} />
        </Fact>
        <Fact name="Last answer">{checkedAt === null ? 'None yet' : <Time at={checkedAt} />}</Fact>
        {openUntil !== null && (
          <Fact name="Rechecked automatically until">
            <Time at={openUntil} />
          </Fact>
        )}
        {rejectedAt !== null && (
          <Fact name="No since">
            <Time at={rejectedAt} />
          </Fact>
        )}
        {liftedAt !== null && (
          <Fact name="Admitted nevertheless">
            <Time at={liftedAt} />
          </Fact>
        )}
      </Facts>
      {providerFile === null && checkedAt === null && (
        <p className="mt-1 text-sm text-muted">
          The provider has not confirmed that the check started. Ask again, or start another.
        </p>
      )}
      <Button kind="quiet" busy={again.busy} onClick={() => void again.run({ params: { id }, body: {} })}>
        Ask again
      </Button>
      {again.problem !== null && <p className="mt-1 text-sm text-bad">{again.problem}</p>}
    </>
  );
}

const statusWords = { pending: 'Nothing yet', approved: 'Yes', rejected: 'No' } as const;

type PayeeProps = Checked & {
  readonly checks: readonly BusinessCheck[];
  /** The version that is on the screen; null: nothing can be checked any more. */
  readonly version: number | null;
};

/** The checks of a record, and the start of another. */
export function PayeeChecks({ id, registryNumbers, checks, version }: PayeeProps) {
  const { run, ...deed } = useDeed('POST /api/payees/:id/checks', ...outdated);
  return (
    <Checks checks={checks}>
      {version !== null && (
        <Start
          numbers={registryNumbers}
          {...deed}
          onStart={(wanted) => void run({ params: { id }, body: { ...wanted, version } })}
        />
      )}
    </Checks>
  );
}

type BusinessProps = Checked & { readonly checks: readonly BusinessCheck[]; readonly waits: boolean };

/** The checks of a submission, and the start of another while it waits. */
export function SubmissionChecks({ id, registryNumbers, checks, waits }: BusinessProps) {
  const { run, ...deed } = useDeed('POST /api/business/submissions/:id/checks', ...outdated);
  return (
    <Checks checks={checks}>
      {waits && (
        <Start
          numbers={registryNumbers}
          {...deed}
          onStart={(wanted) => void run({ params: { id }, body: wanted })}
        />
      )}
    </Checks>
  );
}

type Wanted = { readonly country: string; readonly registrationNumber: string };
type StartProps = {
  readonly numbers: readonly string[];
  readonly busy: boolean;
  readonly problem: string | null;
  readonly onStart: (wanted: Wanted) => void;
};

const choose = ['', 'Choose a country'] as const;
const byName = [...countries]
  .map((code) => [code, countryName(code)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));

function Start({ numbers, busy, problem, onStart }: StartProps) {
  const [country, setCountry] = useState('');
  const [number, setNumber] = useState(numbers[0] ?? '');
  const [fault, setFault] = useState<string | null>(null);
  if (numbers.length === 0)
    return <p className="mt-1 text-sm text-muted">It has no registry number, so no provider can check it.</p>;
  const start = () => {
    setFault(country === '' ? 'Choose the country of its register.' : null);
    if (country !== '') onStart({ country, registrationNumber: number });
  };
  return (
    <div className="mt-3 grid gap-3">
      <Select
        label="Country of the register"
        options={[choose, ...byName]}
        value={country}
        error={fault}
        onChange={({ target }) => setCountry(target.value)}
      />
      <Select
        label="Registry number"
        options={numbers.map((each) => [each, legible(each)])}
        value={number}
        onChange={({ target }) => setNumber(target.value)}
      />
      <div>
        <Button busy={busy} onClick={start}>
          Start a check
        </Button>
      </div>
      {problem !== null && <p className="text-sm text-bad">{problem}</p>}
    </div>
  );
}
