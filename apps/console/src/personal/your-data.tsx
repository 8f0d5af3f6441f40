import type { PersonalDataSummary } from '@countersign/protocol/dashboard/personal-data';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { ask } from '../api/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { EraseData } from './erase-data.tsx';

const kept = ask('GET /api/personal-data', {});

/** Shows which data is kept about the owner, why and how long, and offers its export and erasure. */
export function YourData() {
  const answer = useQuery(kept);
  const [erasing, setErasing] = useState(false);
  return (
    <Section title="Your data">
      <Loaded query={answer} skeleton={<BoneRows rows={4} />}>
        {({ data, erasedAt, erasedBy }) => (
          <>
            <div className="grid gap-4 px-5 py-4 text-sm">
              <p className="max-w-[70ch] text-pretty text-muted">
                Everything that is kept about you here, and why. You can download it, and erase everything
                that no law requires us to keep.
              </p>
              {erasedAt !== null && (
                <p>
                  {erasedBy === 'operator' ? 'Erased by an operator' : 'Erased as you asked'}:{' '}
                  <Time at={erasedAt} />
                </p>
              )}
              <div className="flex flex-wrap gap-2">
                <Download />
                <Button kind="danger" onClick={() => setErasing(true)}>
                  Erase my data
                </Button>
              </div>
            </div>
            <details className="border-t border-line">
              <summary className="cursor-pointer px-5 py-3.5 text-sm font-medium">
                What is kept, and why
              </summary>
              <p className="max-w-[78ch] border-t border-line px-5 py-3.5 text-pretty text-sm text-muted">
                Kept by law: {data.find(({ law }) => law !== null)?.law}
              </p>
              <ul className="divide-y divide-line border-t border-line">
                {data.map((each) => (
                  <Kept key={each.kind} about={each} />
                ))}
              </ul>
            </details>
            {erasing && <EraseData kept={data} onClose={() => setErasing(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const fates = {
  deleted: 'Erased on request',
  ended: 'Ended on request',
  kept: 'Kept',
} as const;

function Kept({ about: { what, count, why, law, keptFor, onErasure } }: { about: PersonalDataSummary }) {
  return (
    <li className="px-5 py-3.5 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        <span>
          {what}
          {count !== null && <span className="font-normal text-muted"> ({count})</span>}
        </span>
        <Badge>{fates[onErasure]}</Badge>
        {law !== null && <Badge tone="accent">Kept by law</Badge>}
      </p>
      <p className="mt-1 max-w-[78ch] text-pretty text-muted">
        {why} Kept {keptFor}.
      </p>
    </li>
  );
}

function Download() {
  const { busy, problem, run } = useDeed('POST /api/personal-data/export');
  const fetchAll = async () => {
    const data = await run({});
    if (data !== null)
      download(JSON.stringify(data, null, 2), `personal-data-${data.exportedAt.slice(0, 10)}.json`);
  };
  return (
    <>
      <Button busy={busy} onClick={() => void fetchAll()}>
        Download my data
      </Button>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </>
  );
}
