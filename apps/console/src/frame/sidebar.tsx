import { Fragment } from 'react';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { DestinationLink } from './destination-link.tsx';
import { type Destination, useDestinations, useServiceGroups } from './navigation.ts';

const look =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm text-muted transition-colors hover:bg-sunken ' +
  'hover:text-ink aria-[current]:bg-accent-tint aria-[current]:font-medium aria-[current]:text-accent-ink [&_svg]:size-4';

/** The navigation where there is room for it. */
export function Sidebar() {
  const destinations = useDestinations();
  const groups = useServiceGroups();
  return (
    <header className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-r border-line px-3 py-5 max-md:hidden">
      <div className="px-2.5 pb-6">
        <Brand />
      </div>
      <nav aria-label="Main" className="grid gap-0.5">
        <Links pages={destinations} />
        {groups.map(({ name, pages }) => (
          <Fragment key={name}>
            <p className="mt-5 px-2.5 pb-1 text-xs font-medium text-muted">{name}</p>
            <Links pages={pages} />
          </Fragment>
        ))}
      </nav>
      <div className="mt-auto pt-4">
        <AccountMenu />
      </div>
    </header>
  );
}

const Links = ({ pages }: { pages: readonly Destination[] }) =>
  pages.map((page) => (
    <DestinationLink key={page.to} destination={page} className={look} countAt="ml-auto" />
  ));
