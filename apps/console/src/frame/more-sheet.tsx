import { LogOut } from 'lucide-react';
import { Fragment } from 'react';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { Address } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { DestinationLink } from './destination-link.tsx';
import { inTheBar, useDestinations, useServiceGroups } from './navigation.ts';
import { ThemeChoice } from './theme-choice.tsx';

const look =
  'flex min-h-12 items-center gap-3 rounded-md px-2 aria-[current]:text-accent-ink [&_svg]:size-5 [&_svg]:text-muted';

/** Lists the destinations that do not fit into a small screen's bar. */
export function MoreSheet({ onClose }: { onClose: () => void }) {
  const { account } = useSession();
  const signOut = useSignOut();
  const groups = [{ name: null, pages: useDestinations().slice(inTheBar) }, ...useServiceGroups()];
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
        {groups.map(({ name, pages }) => (
          <Fragment key={name}>
            {name !== null && <p className="mt-3 px-2 text-xs font-medium text-muted">{name}</p>}
            {pages.map((page) => (
              <DestinationLink
                key={page.to}
                destination={page}
                className={look}
                countAt="ml-auto"
                onClick={onClose}
              />
            ))}
          </Fragment>
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
