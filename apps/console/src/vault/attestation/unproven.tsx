import type { Attestation } from '@countersign/protocol/vault/attestation';
import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Section } from '../../ui/page.tsx';

/** Lists what the checks above do not prove. */
export function Unproven({ report }: { report: Attestation }) {
  const open = report.hardware ? ofHardware : ofSimulation;
  return (
    <Section
      title="Not proven"
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
        To check the whole report yourself, run{' '}
        <code className="font-mono text-xs">countersign attest verify attestation.json</code>
      </p>
    </Section>
  );
}

const ofSimulation = [
  'That the enclave runs on hardware that protects its memory. It does not: the quote is signed with a publicly known key.',
  'That the running program is the published one. Only the program itself says so.',
];

const ofHardware = [
  'That genuine hardware signed the quote. The command below checks the certificate chain up to the hardware’s vendor.',
  'That the measured program is one you trust. Compare the measurements with those of your own build.',
];
