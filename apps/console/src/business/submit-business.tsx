import type { Business } from '@countersign/protocol/dashboard/business';
import type { PayoutAddress } from '@countersign/protocol/dashboard/payees';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { useSession } from '../session/session.ts';
import { WholeAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Field, focusFirstFault, TextArea } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { walletProblemText } from '../wallet/problem.ts';
import { type Claimed, signClaim } from './claim.ts';
import { bodyOf, type BusinessDraft, draftOf, emptyDraft, faultsOf, isAddress, isSame } from './draft.ts';

type Props = {
  /** The last submission; null if there is none, or it was deleted. */
  readonly last: Business['facts'];
  readonly onClose: () => void;
};

/**
 * Asks for the facts that operators review. Each payout address other than the signed-in wallet signs for
 * itself.
 */
export function SubmitBusiness({ last, onClose }: Props) {
  const { account } = useSession();
  const { busy, problem, run } = useDeed('POST /api/business/submit', '/api/business');
  const [draft, setDraft] = useState(() => (last === null ? emptyDraft : draftOf(last)));
  const before = last?.addresses ?? [];
  const [claims, setClaims] = useState<readonly Claimed[]>([]);
  const [tried, setTried] = useState(false);
  const faults = faultsOf(draft);
  const field = (name: keyof BusinessDraft) => ({
    value: draft[name],
    error: (tried && faults[name]) || null,
    onChange: ({ target }: { target: { value: string } }) => {
      setDraft((old) => ({ ...old, [name]: target.value }));
      // What was signed was signed for that domain.
      if (name === 'domain') setClaims([]);
    },
  });
  const submit = async () => {
    if ((await run({ body: bodyOf(draft, account.walletAddress, claims, before) })) === null) return;
    showToast({ tone: 'ok', text: 'Business submitted. The result will appear here.' });
    onClose();
  };
  const trySubmit = (form: HTMLFormElement) => {
    setTried(true);
    if (Object.keys(faults).length > 0) focusFirstFault(form);
    else void submit();
  };
  return (
    <FormSheet
      title="Submit a business"
      submitLabel="Submit"
      busy={busy}
      problem={problem}
      onSubmit={trySubmit}
      onClose={onClose}
    >
      <Intro />
      <Field label="Legal name" maxLength={200} autoComplete="organization" {...field('legalName')} />
      <Field
        label="Domain"
        placeholder="shop.example"
        autoComplete="off"
        spellCheck={false}
        {...field('domain')}
      />
      <TextArea
        label="Registry numbers"
        hint="One per line, with the register: HRB 12345 B, LEI 5299…"
        {...field('registryNumbers')}
      />
      <TextArea label="Links" hint="Sources, one per line." {...field('links')} />
      <Payouts
        own={account.walletAddress}
        domain={draft.domain.trim().toLowerCase()}
        claims={claims}
        before={before}
        onSigned={(claim) => setClaims((old) => [...old, claim])}
      />
    </FormSheet>
  );
}

const Intro = () => (
  <p className="text-pretty text-muted">
    Operators compare this with public registers. You can add files once it is submitted.
  </p>
);

type PayoutsProps = {
  readonly own: Claimed['address'];
  readonly domain: string;
  readonly claims: readonly Claimed[];
  /** The addresses that were submitted last. */
  readonly before: readonly PayoutAddress[];
  readonly onSigned: (claim: Claimed) => void;
};

function Payouts({ own, domain, claims, before, onSigned }: PayoutsProps) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const named = [own, ...claims.map(({ address }) => address)];
  const isNamed = (address: string) => named.some((each) => isSame(each, address));
  const sign = async (address: string) => {
    if (!isAddress(address)) return setFault('Enter an address: 0x and 40 hex digits.');
    if (isNamed(address)) return setFault('This address is already in the list.');
    if (!domain.includes('.')) return setFault('Enter the domain first: the address signs for it.');
    const signed = await signClaim({ account: own, address, domain }, new Date());
    if (!signed.ok) return setFault(walletProblemText(signed.error));
    setFault(null);
    setTyped('');
    onSigned(signed.value);
  };
  return (
    <fieldset className="grid gap-3">
      <legend className="text-sm font-medium">Payout addresses</legend>
      {named.map((address) => (
        <WholeAddress key={address} value={address} name="payout address" />
      ))}
      {before
        .filter(({ address }) => !isNamed(address))
        .map(({ address }) => (
          <div key={address} className="grid gap-2">
            <WholeAddress value={address} name="earlier address" />
            <p className="text-sm text-muted">Submitted last time. It is omitted unless it signs again.</p>
            <Button onClick={() => void sign(address)}>Keep this address</Button>
          </div>
        ))}
      <Field
        label="Another address"
        hint="Optional. Select it in your wallet, then sign that it is yours."
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={fault}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button onClick={() => void sign(typed.trim())}>Sign with this address</Button>
    </fieldset>
  );
}
