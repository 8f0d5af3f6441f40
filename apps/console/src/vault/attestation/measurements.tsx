import type { Attestation } from '@countersign/protocol/vault/attestation';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/page.tsx';

/** Shows the platform's measurements, and the keys that the report covers. */
export function Measurements({ report }: { report: Attestation }) {
  const { provider, hardware, auditPublicKey, sealPublicKey, reportData } = report;
  return (
    <Section title="Reported identity">
      <div className="px-5 py-1">
        <Facts>
          <Fact name="Platform">
            {provider} {!hardware && <Badge tone="warn">SIMULATED</Badge>}
          </Fact>
          {measured(report.measurements).map(([name, value]) => (
            <Fact key={name} name={`Measurement: ${name}`}>
              <Address value={value} name={name} />
            </Fact>
          ))}
          <Fact name="Sealing key">
            <Address value={sealPublicKey} name="sealing key" />
          </Fact>
          <Fact name="Audit log signing key">
            <Address value={auditPublicKey} name="audit key" />
          </Fact>
          <Fact name="Report data">
            <Address value={reportData} name="report data" />
          </Fact>
        </Facts>
      </div>
    </Section>
  );
}

const measured = (measurements: unknown): readonly (readonly [name: string, value: string])[] =>
  typeof measurements !== 'object' || measurements === null
    ? []
    : Object.entries(measurements).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as const] : [],
      );
