import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import { CircleCheck, CircleMinus } from 'lucide-react';
import { Section } from '../../ui/page.tsx';
import { isolationSays } from './names.ts';
import { WeakerBadge } from './state.tsx';

/** Shows this browser's isolation, as measured. */
export function Isolation({ isolation }: { isolation: SandboxIsolation }) {
  return (
    <Section title="Browser isolation" actions={<WeakerBadge isolation={isolation} />}>
      <ul className="grid gap-1.5 px-5 py-4 text-sm">
        {isolationSays(isolation).map(([says, holds]) => {
          const Icon = holds ? CircleCheck : CircleMinus;
          return (
            <li key={says} className="flex items-start gap-2">
              <Icon
                aria-hidden="true"
                className={`mt-0.5 size-4 shrink-0 ${holds ? 'text-ok' : 'text-warn'}`}
              />
              <span className="text-pretty">{says}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
