import type { RuleFinding } from '@countersign/protocol/vault/review';
import { CircleAlert, Hand } from 'lucide-react';

/** The findings that object; that nothing does is a finding too. */
export const objections = (rules: readonly RuleFinding[]): readonly RuleFinding[] =>
  rules.filter(({ verdict }) => verdict !== 'allow');

/** Lists the objections of the review's rules, one sentence each. */
export function RuleFindings({ rules }: { rules: readonly RuleFinding[] }) {
  const found = objections(rules);
  if (found.length === 0) return <p className="text-sm text-muted">No rule objected.</p>;
  return (
    <ul className="grid gap-3 text-sm">
      {found.map(({ rule, verdict, message }) => {
        const [Icon, tone] = verdict === 'deny' ? [CircleAlert, 'text-bad'] : [Hand, 'text-warn'];
        return (
          <li key={rule} className="flex items-start gap-2">
            <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
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
