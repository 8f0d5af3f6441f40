import { Link } from '@tanstack/react-router';
import { WaitingCount } from '../approvals/waiting-count.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { type Destination, destinations, vaultDestinations } from './navigation.ts';

const look =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm text-muted transition-colors hover:bg-sunken ' +
  'hover:text-ink aria-[current]:bg-accent-tint aria-[current]:font-medium aria-[current]:text-accent-ink';

/** The navigation where there is room for it. */
export function Sidebar() {
  const vault = vaultDestinations();
  return (
    <header className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-r border-line px-3 py-5 max-md:hidden">
      <div className="px-2.5 pb-6">
        <Brand />
      </div>
      <nav aria-label="Main" className="grid gap-0.5">
        <Links destinations={destinations} />
        {vault.length > 0 && (
          <>
            <p className="mt-5 px-2.5 pb-1 text-xs font-medium text-muted">Vault</p>
            <Links destinations={vault} />
          </>
        )}
      </nav>
      <div className="mt-auto pt-4">
        <AccountMenu />
      </div>
    </header>
  );
}

const Links = (about: { readonly destinations: readonly Destination[] }) =>
  about.destinations.map(({ to, name, icon: Icon, counted }) => (
    <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }} className={look}>
      <Icon aria-hidden="true" className="size-4" />
      {name}
      {counted && <WaitingCount className="ml-auto" />}
    </Link>
  ));
