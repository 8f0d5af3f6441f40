import type { TransactionRecord } from '@countersign/protocol/dashboard/transaction';
import { RiskNumber } from '../compliance/state.tsx';
import { Address } from '../ui/address.tsx';
import { Badge } from '../ui/badge.tsx';
import { Fact, Facts } from '../ui/facts.tsx';

/** Who paid whom, and what was known of both before the payment. */
export function Parties({ transaction }: { transaction: TransactionRecord }) {
  const { payer, payerKycResult, payerKytResult, payerKytRiskLevel } = transaction;
  const { payee, payeeKycResult, payeeKytResult, payeeKytRiskLevel } = transaction;
  return (
    <>
      <Party
        name="Payer"
        address={payer}
        kyc={payerKycResult}
        kyt={payerKytResult}
        risk={payerKytRiskLevel}
      />
      <Party
        name="Payee"
        address={payee}
        kyc={payeeKycResult}
        kyt={payeeKytResult}
        risk={payeeKytRiskLevel}
      />
    </>
  );
}

type Props = {
  readonly name: string;
  readonly address: string | null;
  readonly kyc: number | null;
  readonly kyt: number | null;
  readonly risk: number | null;
};

function Party({ name, address, kyc, kyt, risk }: Props) {
  return (
    <section aria-label={name}>
      <h3 className="flex items-center justify-between gap-4 text-sm">
        {name}
        {address !== null && <Address value={address} name={name.toLowerCase()} />}
      </h3>
      <Facts>
        <Fact name="Identity (KYC)">
          <Outcome result={kyc} passed="Verified" failed="Not verified" />
        </Fact>
        <Fact name="Address (KYT)">
          <Outcome result={kyt} passed="Pass" failed="Not passed" />{' '}
          {risk !== null && <RiskNumber number={risk} />}
        </Fact>
      </Facts>
    </section>
  );
}

/** 1 is a pass; 0 says failed or not checked, and nothing tells which. */
function Outcome({ result, passed, failed }: { result: number | null; passed: string; failed: string }) {
  if (result === null) return <span className="text-muted">Not recorded</span>;
  return result === 1 ? <Badge tone="ok">{passed}</Badge> : <Badge tone="warn">{failed}</Badge>;
}
