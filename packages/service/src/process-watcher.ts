import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProcessIdentity } from './process-identity.ts';

export type Watcher = {
  readonly add: (child: ProcessIdentity) => void;
  /** Lets the watcher go; resolves when it is gone. It stops whatever was added and still runs. */
  readonly end: () => Promise<void>;
};

// A shell, because it is everywhere and weighs nothing. Its input ends exactly when we do, however we end: no
// signal handler of ours could say that of SIGKILL. It is deaf to a terminal's signals. Processes are told apart
// from later ones of the same number by their start time (field 22 of /proc/PID/stat), where there is a /proc.
const script = `
trap '' INT TERM HUP
children=
while read -r child; do children="$children $child"; done
[ -n "$1" ] && rm -f -- "$1"
runs() {
  kill -0 "\${1%%:*}" 2>/dev/null || return 1
  [ -r "/proc/\${1%%:*}/stat" ] || return 0
  read -r stat <"/proc/\${1%%:*}/stat" || return 1
  set -- "\${1#*:}" \${stat##*) }
  [ "$2" != Z ] && [ "\${21}" = "$1" ]
}
for child in $children; do runs "$child" && kill -INT "\${child%%:*}"; done
left=8
while [ $left -gt 0 ]; do
  some=
  for child in $children; do runs "$child" && some=yes; done
  [ -z "$some" ] && exit 0
  sleep 1
  left=$((left - 1))
done
for child in $children; do runs "$child" && { kill -KILL -- "-\${child%%:*}" || kill -KILL "\${child%%:*}"; }; done
`;

/** Starts the process that, when we are killed, removes a file that says we run and stops our children. */
export function startWatcher(signOfLife: string | undefined): Watcher {
  const shell = spawn('/bin/sh', ['-c', script, 'countersign-watcher', signOfLife ?? ''], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { stdin } = shell;
  // Without it the start goes on: the record file still names what a later start has to stop.
  shell.on('error', () => {});
  stdin.on('error', () => {});
  const gone = shell.pid === undefined ? Promise.resolve() : once(shell, 'exit');
  // Neither may keep this process alive.
  shell.unref();
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();

  return {
    add: ({ pid, startedAt }) => stdin.write(`${pid}:${startedAt}\n`),
    end: async () => {
      shell.ref();
      stdin.end();
      await gone;
    },
  };
}
