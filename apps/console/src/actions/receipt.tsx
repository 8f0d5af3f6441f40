import { Download } from 'lucide-react';
import { Address } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Section } from '../ui/page.tsx';
import type { WholeExecution } from './names.ts';

/** Offers the enclave's receipt for download; anybody can verify it without us. */
export function Receipt({ proof }: { proof: NonNullable<WholeExecution['proof']> }) {
  const { receipt, signature, public_key } = proof;
  const save = () => download(JSON.stringify(proof, null, 2), `receipt-${receipt.execution_id}.json`);
  return (
    <Section
      title="Receipt"
      actions={
        <Button onClick={save}>
          <Download aria-hidden="true" />
          Download
        </Button>
      }
    >
      <div className="px-5 py-1">
        <Facts>
          <Fact name="Policy digest">
            <Address value={receipt.policy_digest} name="digest" />
          </Fact>
          <Fact name="Result hash">
            {receipt.result_hash === null ? 'none' : <Address value={receipt.result_hash} name="hash" />}
          </Fact>
          <Fact name="Enclave measurement">
            <Address value={receipt.tee_mrenclave} name="measurement" />
          </Fact>
          <Fact name="Enclave signature">
            <Address value={signature} name="signature" />
          </Fact>
          <Fact name="Public key">
            <Address value={public_key} name="key" />
          </Fact>
        </Facts>
      </div>
    </Section>
  );
}
