import type { OperationStatus, SandboxIsolation, SessionStatus } from '@countersign/protocol/vault/sandbox';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { TimeLeft } from '../../ui/time-left.tsx';
import { outcomes, type Session, statusNames } from './names.ts';

const sessionTones: Readonly<Record<SessionStatus, BadgeTone>> = {
  active: 'ok',
  paused: 'warn',
  closed: 'plain',
  expired: 'plain',
};

export const SessionState = ({ status }: { status: SessionStatus }) => (
  <Badge tone={sessionTones[status]}>{statusNames[status]}</Badge>
);

const outcomeTones: Readonly<Record<OperationStatus, BadgeTone>> = {
  executed: 'plain',
  rejected: 'bad',
  pending_approval: 'warn',
  failed: 'warn',
};

export const Outcome = ({ status }: { status: OperationStatus }) => (
  <Badge tone={outcomeTones[status]}>{outcomes[status]}</Badge>
);

/** Says where a browser is kept apart less well than it should be; nothing where it is. */
export const WeakerBadge = ({ isolation }: { isolation: SandboxIsolation }) =>
  isolation.level === 'weaker' ? <Badge tone="warn">Weaker isolation</Badge> : null;

export const isOpen = ({ status }: Session): boolean => status === 'active' || status === 'paused';

const outdates = ['/api/v1/sandbox/sessions'] as const;

/** Shows how long a session will last. */
export const SessionTimeLeft = ({ session }: { session: Session }) =>
  isOpen(session) ? (
    <TimeLeft until={session.expires_at} outdates={outdates} />
  ) : (
    <span className="text-muted">over</span>
  );
