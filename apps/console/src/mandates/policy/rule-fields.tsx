import { Choice } from '../../ui/choice.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import type { PolicyDraft } from './draft.ts';

const periods = { never: 'None', day: 'Day', week: 'Week', month: 'Month' } as const;
const whom = { any: 'Anyone', listed: 'Only these' } as const;
const first = { pay: 'Pay', ask: 'Ask me' } as const;
const which = { any: 'Any', listed: 'Only these' } as const;

type Props = {
  readonly draft: PolicyDraft;
  readonly faults: Partial<Record<keyof PolicyDraft, string>>;
  readonly change: (part: Partial<PolicyDraft>) => void;
};

/** A text of the draft as its input wants it. */
const inputOf =
  ({ draft, faults, change }: Props) =>
  (name: 'budget' | 'threshold' | 'merchantList' | 'serviceList') => ({
    value: draft[name],
    error: faults[name] ?? null,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });

/** Every rule: how much, and then to whom. */
export function RuleFields(props: Props) {
  return (
    <>
      <AmountRules {...props} />
      <ListRules {...props} />
    </>
  );
}

function AmountRules(props: Props) {
  const { draft, change } = props;
  const input = inputOf(props);
  return (
    <>
      <div className="grid gap-3">
        <Choice
          label="Budget per period"
          names={periods}
          value={draft.every}
          onChoose={(every) => change({ every })}
        />
        {draft.every !== 'never' && (
          <Field
            label={`Budget per ${draft.every}`}
            hint="Periods are in UTC; weeks start on Monday. Payments over this budget need your approval."
            inputMode="decimal"
            unit="USDC"
            {...input('budget')}
          />
        )}
      </div>
      <Field
        label="Ask me above"
        hint="A larger payment needs your approval. Leave empty to use the limit per payment."
        inputMode="decimal"
        unit="USDC"
        {...input('threshold')}
      />
    </>
  );
}

function ListRules(props: Props) {
  const { draft, change } = props;
  const input = inputOf(props);
  return (
    <>
      <div className="grid gap-3">
        <Choice
          label="Allowed payees"
          names={whom}
          value={draft.merchants}
          onChoose={(merchants) => change({ merchants })}
        />
        {draft.merchants === 'listed' && (
          <TextArea
            label="Allowed addresses"
            hint="One per line. Payments to anyone else are refused without asking you."
            {...input('merchantList')}
          />
        )}
      </div>
      <Choice
        label="First payment to a payee"
        names={first}
        value={draft.newPayees}
        onChoose={(newPayees) => change({ newPayees })}
      />
      <div className="grid gap-3">
        <Choice
          label="Allowed services"
          names={which}
          value={draft.services}
          onChoose={(services) => change({ services })}
        />
        {draft.services === 'listed' && (
          <TextArea
            label="Service names"
            hint="As your gateway names them, one per line."
            {...input('serviceList')}
          />
        )}
      </div>
    </>
  );
}
