import { CirclePause, Globe, Unplug } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Message } from '../../ui/message.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Bone } from '../../ui/skeleton.tsx';
import type { Frame, useLive } from './live.ts';
import type { Session } from './names.ts';
import { isOpen, SessionState, WeakerBadge } from './state.tsx';

type Props = { readonly session: Session; readonly live: ReturnType<typeof useLive> };

/** The agent's page as it looks now, masked in the enclave before it got here. */
export function LiveView({ session, live: { connection, frame } }: Props) {
  const open = isOpen(session);
  return (
    <section aria-label="Live view" className="card min-w-0 overflow-hidden">
      <header className="flex min-h-13 items-center gap-3 border-b border-line px-4 py-2">
        <Globe aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <h2 className="sr-only">Live view</h2>
        <p
          title={session.current_url ?? undefined}
          className="min-w-0 flex-1 truncate rounded-md bg-sunken px-3 py-1.5 font-mono text-xs leading-5"
        >
          {session.current_url ?? <span className="text-muted">no page yet</span>}
        </p>
        <span className="flex shrink-0 flex-wrap justify-end gap-1">
          {open && connection === 'open' && session.status === 'active' ? (
            <Badge tone="ok">Live</Badge>
          ) : (
            <SessionState status={session.status} />
          )}
          <span className="max-md:hidden">
            <WeakerBadge isolation={session.isolation} />
          </span>
        </span>
      </header>
      {open && connection === 'lost' && (
        <div className="p-3">
          <Notice tone="warn">
            Reconnecting. The log below still refreshes every few seconds as long as the vault responds.
          </Notice>
        </div>
      )}
      <Picture frame={frame} open={open} pause={pauseOf(session)} />
    </section>
  );
}

/** Returns what a pause means; null if the session is not paused. */
function pauseOf({ status, paused_by }: Session): string | null {
  if (status !== 'paused') return null;
  return paused_by === 'agent'
    ? 'Your agent paused the session and may resume it. Choose Pause to prevent that.'
    : 'Your agent can do nothing until you resume the session.';
}

function Picture({ frame, open, pause }: { frame: Frame | null; open: boolean; pause: string | null }) {
  if (!open)
    return (
      <Message icon={Unplug} title="This browser no longer exists">
        The screen was never recorded. The log below shows what was done.
      </Message>
    );
  if (frame === null)
    return pause !== null ? (
      <Message icon={CirclePause} title="Paused">
        {pause}
      </Message>
    ) : (
      <div aria-busy="true" className="grid aspect-[16/10] max-h-[560px] w-full place-content-center">
        <Bone className="w-40" />
        <span className="sr-only" role="status">
          Waiting for the first picture
        </span>
      </div>
    );
  return (
    <figure className="bg-sunken">
      <img
        src={`data:image/png;base64,${frame.image}`}
        width={frame.width}
        height={frame.height}
        alt="The session’s current page, with secret fields covered"
        className="mx-auto max-h-[560px] w-auto max-w-full object-contain"
      />
      <figcaption className="border-t border-line bg-surface px-4 py-2.5 text-sm text-pretty text-muted">
        {pause === null ? '' : `Paused. ${pause} `}
        Secrets are covered in the enclave. You see what your agent sees: no secrets and no decoys.
      </figcaption>
    </figure>
  );
}
