import type {
  CloseReason,
  OperationStatus,
  SandboxIsolation,
  SessionStatus,
} from '@countersign/protocol/vault/sandbox';
import type { Verdict } from '@countersign/protocol/vault/review';
import type { VaultAnswer } from '../http.ts';

export type Session = VaultAnswer<'GET /api/v1/sandbox/sessions/:id'>;
export type Operation = VaultAnswer<'GET /api/v1/sandbox/sessions/:id/operations'>['items'][number];

/** What people read for each state of a session. */
export const statusNames: Readonly<Record<SessionStatus, string>> = {
  active: 'Active',
  paused: 'Paused',
  closed: 'Closed',
  expired: 'Expired',
};

/** Why a session is over. */
export const endings: Readonly<Record<CloseReason, string>> = {
  asked: 'It was closed by whoever opened it or by you.',
  expired: 'Its time was up.',
  alarm: 'A stand-in for a secret was seen where it does not belong: the page tried to send it elsewhere.',
  crashed: 'Its browser crashed.',
  out_of_memory: 'Its browser needed more memory than it may have.',
  enclave_gone: 'The enclave was stopped, and its browsers with it.',
};

/** What became of an operation. */
export const outcomes: Readonly<Record<OperationStatus, string>> = {
  executed: 'Done',
  rejected: 'Rejected',
  pending_approval: 'Waiting',
  failed: 'Failed',
};

/** What the review said of it. */
export const verdictNames: Readonly<Record<Verdict, string>> = {
  allow: 'Allowed',
  ask: 'Ask a person',
  deny: 'Refused',
};

/** What an agent may do in a browser, as people say it. */
export const operationNames: Readonly<Record<Operation['operation_type'], string>> = {
  navigate: 'Go to',
  click: 'Click',
  fill: 'Fill',
  select: 'Choose',
  press: 'Press',
  hover: 'Point at',
  scroll: 'Scroll to',
  wait: 'Wait',
  extract: 'Read',
  execute_script: 'Run a script',
};

/** When a person is asked. */
export const approvalNames: Readonly<Record<Session['approval'], string>> = {
  auto: 'when the review wants one',
  human: 'before every fill, form and script',
  never: 'never: what needs a person is rejected',
};

type Kept = readonly [says: string, holds: boolean];

/** How the browser of a session is kept apart, one sentence each. */
export const isolationSays = (found: SandboxIsolation): readonly Kept[] => [
  found.network_namespace
    ? ['Has no network but the proxy that lets it reach this session’s sites', true]
    : ['Shares the machine’s network: only its settings keep it to this session’s sites', false],
  found.own_user
    ? ['Runs as a user of its own', true]
    : ['Runs as the same user as the services of the machine', false],
  found.process_namespace
    ? ['Sees no other process', true]
    : ['Sees the other processes of its machine', false],
  found.chromium_sandbox
    ? ['Pages are shown inside the browser’s own sandbox too', true]
    : ['The browser’s own sandbox around pages is off', false],
  [memoryCaps[found.memory_cap], found.memory_cap !== 'none'],
  found.cpu_cap === 'none'
    ? ['May use all the processor time there is', false]
    : ['Has a share of the processor', true],
];

const memoryCaps: Readonly<Record<SandboxIsolation['memory_cap'], string>> = {
  cgroup: 'Its memory is limited as a whole',
  rlimit: 'The memory of each of its processes is limited',
  none: 'Its memory is not limited',
};
