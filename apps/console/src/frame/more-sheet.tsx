import { Link } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { Address } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { destinations, inTheBar, vaultDestinations } from './navigation.ts';
import { ThemeChoice } from './theme-choice.tsx';

const look =
  'flex min-h-12 items-center gap-3 rounded-md px-2 aria-[current]:text-accent-ink [&_svg]:size-5 [&_svg]:text-muted';

/** What the bar of a small screen has no room for. */
export function MoreSheet({ onClose }: { onClose: () => void }) {
  const { account } = useSession();
  const signOut = useSignOut();
  return (
    <Sheet
      title="More"
      shape="dialog"
      onClose={onClose}
      actions={
        <Button onClick={() => void signOut()}>
          <LogOut aria-hidden="true" />
          Sign out
        </Button>
      }
    >
      <nav aria-label="More pages" className="-mt-2 grid">
        {[...destinations.slice(inTheBar), ...vaultDestinations()].map(({ to, name, icon: Icon }) => (
          <Link key={to} to={to} onClick={onClose} activeProps={{ 'aria-current': 'page' }} className={look}>
            <Icon aria-hidden="true" />
            {name}
          </Link>
        ))}
      </nav>
      <div className="mt-4 grid gap-4 border-t border-line pt-5">
        <ThemeChoice />
        <div className="flex items-center justify-between text-sm">
          <span className="text-muted">Account</span>
          <Address value={account.walletAddress} />
        </div>
      </div>
    </Sheet>
  );
}
