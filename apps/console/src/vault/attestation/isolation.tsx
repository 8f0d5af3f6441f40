import type { Isolation as Kept } from '@countersign/protocol/enclave/commands';
import { CircleCheck, CircleMinus } from 'lucide-react';
import { Section } from '../../ui/page.tsx';

const words: Readonly<Record<keyof Kept, readonly [yes: string, no: string]>> = {
  ownUser: ['Runs as its own user', 'Runs as the same user as the vault’s web server'],
  noNetwork: ['Has no network', 'Could reach the network'],
  noCoreDumps: ['Leaves no memory dump when it crashes', 'Might leave a memory dump when it crashes'],
  noPtrace: ['No other process can read its memory', 'Other processes of its user can read its memory'],
  namespaces: [
    'Sees neither other processes nor their files',
    'Sees what other processes on the machine see',
  ],
  seccomp: ['Can make only the system calls it needs', 'Can make any system call'],
  secretMemory: ['Its root key is in memory that the kernel hides', 'Its root key is in ordinary memory'],
};

/** Shows the isolation of the process on its machine, as it reports it. */
export function Isolation({ measurements }: { measurements: unknown }) {
  const kept = isolationIn(measurements);
  if (kept === null) return null;
  return (
    <Section title="Isolation">
      <ul className="grid gap-1.5 px-5 py-4 text-sm">
        {(Object.keys(words) as (keyof Kept)[]).map((name) => {
          const holds = kept[name] === true;
          const Icon = holds ? CircleCheck : CircleMinus;
          return (
            <li key={name} className="flex items-start gap-2">
              <Icon
                aria-hidden="true"
                className={`mt-0.5 size-4 shrink-0 ${holds ? 'text-ok' : 'text-warn'}`}
              />
              <span className="text-pretty">{words[name][holds ? 0 : 1]}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function isolationIn(measurements: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof measurements !== 'object' || measurements === null || !('isolation' in measurements))
    return null;
  const { isolation } = measurements;
  return typeof isolation === 'object' ? (isolation as Record<string, unknown> | null) : null;
}
