import { CirclePause, CirclePlay } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Question } from '../../ui/question.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useVaultDeed } from '../call.ts';
import type { Session } from './names.ts';

const lists = '/api/v1/sandbox/sessions';

/** Offers a person's actions on an open session. */
export function SessionActions({ session }: { session: Session }) {
  const [closing, setClosing] = useState(false);
  return (
    <>
      {session.paused_by !== 'person' && <Pause id={session.id} />}
      {session.status === 'paused' && <Resume id={session.id} />}
      <Button kind="danger" onClick={() => setClosing(true)}>
        Close
      </Button>
      {closing && <CloseSession id={session.id} onClose={() => setClosing(false)} />}
    </>
  );
}

function Pause({ id }: { id: string }) {
  const { busy, problem, run } = useVaultDeed('POST /api/v1/sandbox/sessions/:id/pause', lists);
  return (
    <Pressed problem={problem}>
      <Button busy={busy} onClick={() => void run({ params: { id } })}>
        <CirclePause aria-hidden="true" />
        Pause
      </Button>
    </Pressed>
  );
}

function Resume({ id }: { id: string }) {
  const { busy, problem, run } = useVaultDeed('POST /api/v1/sandbox/sessions/:id/resume', lists);
  return (
    <Pressed problem={problem}>
      <Button kind="primary" busy={busy} onClick={() => void run({ params: { id } })}>
        <CirclePlay aria-hidden="true" />
        Resume
      </Button>
    </Pressed>
  );
}

/** A button, and below it why it did not work. */
function Pressed({ problem, children }: { problem: string | null; children: ReactNode }) {
  return (
    <div className="grid justify-items-end gap-1">
      {children}
      {problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

function CloseSession({ id, onClose }: { id: string; onClose: () => void }) {
  const { run, ...state } = useVaultDeed('DELETE /api/v1/sandbox/sessions/:id', lists);
  const close = async () => {
    if ((await run({ params: { id } })) === null) return;
    showToast({ tone: 'ok', text: 'Session closed. Its browser was destroyed.' });
    onClose();
  };
  return (
    <Question
      title="Close this session?"
      submitLabel="Close session"
      onYes={() => void close()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        Its browser is destroyed with everything in it: pages, logins, cookies. This cannot be undone. The
        operation log and the audit log are kept.
      </p>
    </Question>
  );
}
