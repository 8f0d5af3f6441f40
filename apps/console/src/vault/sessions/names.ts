import type {
  CloseReason,
  OperationStatus,
  SandboxIsolation,
  SessionStatus,
} from '@countersign/protocol/vault/sandbox';
import type { Verdict } from '@countersign/protocol/vault/verdict';
import type { VaultAnswer } from '../http.ts';

export type Session = VaultAnswer<'GET /api/v1/sandbox/sessions/:id'>;
export type Operation = VaultAnswer<'GET /api/v1/sandbox/sessions/:id/operations'>['items'][number];

/** The label of each state. */
export const statusNames: Readonly<Record<SessionStatus, string>> = {
  active: 'Active',
  paused: 'Paused',
  closed: 'Closed',
  expired: 'Expired',
};

/** Why a session is over. */
export const endings: Readonly<Record<CloseReason, string>> = {
  asked: 'It was closed by you or by whoever opened it.',
  expired: 'It reached its time limit.',
  alarm: 'A decoy turned up where it does not belong: the page tried to send it elsewhere.',
  crashed: 'Its browser crashed.',
  out_of_memory: 'Its browser exceeded its memory limit.',
  enclave_gone: 'The enclave stopped, and its browsers with it.',
};

/** Names of the results of an operation. */
export const outcomes: Readonly<Record<OperationStatus, string>> = {
  executed: 'Done',
  rejected: 'Rejected',
  pending_approval: 'Waiting',
  failed: 'Failed',
};

/** The label of each verdict. */
export const verdictNames: Readonly<Record<Verdict, string>> = {
  allow: 'Allowed',
  ask: 'Needs approval',
  deny: 'Refused',
};

/** The label of each operation. */
export const operationNames: Readonly<Record<Operation['operation_type'], string>> = {
  navigate: 'Go to',
  click: 'Click',
  fill: 'Fill',
  select: 'Choose',
  press: 'Press',
  hover: 'Hover',
  scroll: 'Scroll to',
  wait: 'Wait',
  extract: 'Read',
  execute_script: 'Run script',
  screenshot: 'Take screenshot',
  export: 'Export',
  watch: 'Watch live',
};

/** When a person is asked. */
export const approvalNames: Readonly<Record<Session['approval'], string>> = {
  auto: 'when the review requires it',
  human: 'before every fill, form and script',
  never: 'never: operations that need approval are rejected',
};

type Kept = readonly [says: string, holds: boolean];

/** Returns one sentence for each property of the browser's isolation. */
export const isolationSays = (found: SandboxIsolation): readonly Kept[] => [
  found.network_namespace
    ? ['Reaches the network only through the proxy that allows this session’s sites', true]
    : ['Shares the machine’s network; only its settings limit it to this session’s sites', false],
  found.own_user
    ? ['Runs as its own user', true]
    : ['Runs as the same user as the machine’s services', false],
  found.process_namespace ? ['Sees no other processes', true] : ['Sees the machine’s other processes', false],
  found.chromium_sandbox
    ? ['Pages also run inside the browser’s own sandbox', true]
    : ['The browser’s own page sandbox is off', false],
  [memoryCaps[found.memory_cap], found.memory_cap !== 'none'],
  found.cpu_cap === 'none'
    ? ['Has no limit on processor time', false]
    : ['Has a limited share of the processor', true],
];

const memoryCaps: Readonly<Record<SandboxIsolation['memory_cap'], string>> = {
  cgroup: 'Its memory is limited as a whole',
  rlimit: 'The memory of each of its processes is limited',
  none: 'Its memory is not limited',
};
