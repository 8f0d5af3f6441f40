import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { followEvents } from '../live/events.ts';
import { RecoveryNotice } from '../recovery/recovery-notice.tsx';
import { useSession } from '../session/session.ts';
import { BoneRows } from '../ui/skeleton.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { AccountNotice } from '../wallet/account-notice.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Sidebar } from './sidebar.tsx';

/** The frame of every page: skip link, navigation, account. Shown once it is known who is signed in. */
export function Frame() {
  return (
    <Suspense fallback={<Waiting />}>
      <Everything />
    </Suspense>
  );
}

function Everything() {
  const queries = useQueryClient();
  useSession();
  useEffect(() => followEvents(queries), [queries]);
  return (
    <>
      <a
        href="#main"
        className="fixed left-3 top-3 z-20 -translate-y-20 rounded-md bg-ink px-4 py-2 text-sm font-medium text-canvas focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="min-h-dvh md:grid md:grid-cols-[232px_minmax(0,1fr)]">
        <Sidebar />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1080px] px-4 pb-28 pt-6 outline-none md:px-10 md:pb-16 md:pt-10"
        >
          <AccountNotice />
          <RecoveryNotice />
          <Suspense fallback={<Waiting />}>
            <Outlet />
          </Suspense>
        </main>
        <BottomBar />
      </div>
      <Toasts />
    </>
  );
}

function Waiting() {
  return (
    <div aria-busy="true" className="mx-auto w-full max-w-[1080px] pt-10">
      <BoneRows />
    </div>
  );
}
