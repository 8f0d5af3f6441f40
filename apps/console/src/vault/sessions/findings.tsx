import type { RuleFinding } from '@countersign/protocol/vault/review';
import { CircleAlert, CircleCheck, Hand } from 'lucide-react';

const icons = { allow: CircleCheck, ask: Hand, deny: CircleAlert } as const;
const tones = { allow: 'text-ok', ask: 'text-warn', deny: 'text-bad' } as const;

/** What the rules of the review found, one sentence each. */
export function RuleFindings({ rules }: { rules: readonly RuleFinding[] }) {
  if (rules.length === 0) return <p className="text-sm text-muted">No rule objects.</p>;
  return (
    <ul className="grid gap-3 text-sm">
      {rules.map(({ rule, verdict, message }) => {
        const Icon = icons[verdict];
        return (
          <li key={rule} className="flex items-start gap-2">
            <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tones[verdict]}`} />
            <span className="min-w-0">
              <span className="block text-pretty">{message}</span>
              <code className="font-mono text-xs text-muted">{rule}</code>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
