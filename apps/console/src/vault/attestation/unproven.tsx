import type { Attestation } from '@countersign/protocol/vault/attestation';
import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Section } from '../../ui/page.tsx';

/** What follows from no check above. */
export function Unproven({ report }: { report: Attestation }) {
  const open = report.hardware ? ofHardware : ofSimulation;
  return (
    <Section
      title="What nobody has shown"
      actions={
        <Button onClick={() => download(JSON.stringify(report, null, 2), 'attestation.json')}>
          <Download aria-hidden="true" />
          Download report
        </Button>
      }
    >
      <ul className="grid list-disc gap-1.5 py-4 pl-9 pr-5 text-sm text-pretty marker:text-muted">
        {open.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="border-t border-line px-5 py-3.5 text-sm text-pretty text-muted">
        Check the whole report without us:{' '}
        <code className="font-mono text-xs">countersign attest verify attestation.json</code>
      </p>
    </Section>
  );
}

const ofSimulation = [
  'That the enclave runs on hardware that keeps its memory to itself. It does not: the quote is signed with a key that everybody knows.',
  'That the program which runs is the one that was published. It says so itself, and nothing else vouches for it.',
];

const ofHardware = [
  'That the quote is signed by genuine hardware: the chain of certificates up to its vendor is checked by the command below.',
  'That the measured program is one that you trust: compare the measurements with those of a build of your own.',
];
