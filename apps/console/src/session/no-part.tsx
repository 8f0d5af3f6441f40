import { Notice } from '../ui/notice.tsx';

/** Stands above another part’s own log-in, where whoever is signed in here has no part in it: nothing is wrong. */
export function NoPart({ of, own }: { of: 'vault' | 'control plane'; own: string }) {
  return (
    <div className="mx-auto mb-4 w-full max-w-[440px]">
      <Notice>
        Your sign-in opens nothing in this {of}: your account, or your role, has no part in it. Whoever runs
        it decides that. {own}
      </Notice>
    </div>
  );
}
