import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { WaitingCount } from '../approvals/waiting-count.tsx';
import { destinations, inTheBar } from './navigation.ts';
import { MoreSheet } from './more-sheet.tsx';

const look =
  'relative flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-muted focus-visible:-outline-offset-2 ' +
  'aria-[current]:font-medium aria-[current]:text-accent-ink [&_svg]:size-5';

/** The navigation of a small screen, within reach of the thumb. */
export function BottomBar() {
  const [more, setMore] = useState(false);
  return (
    <div className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden">
      <nav aria-label="Main" className="flex">
        {destinations.slice(0, inTheBar).map(({ to, name, icon: Icon, counted }) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }} className={look}>
            <Icon aria-hidden="true" />
            {name}
            {counted && <WaitingCount className="absolute left-[calc(50%+4px)] top-1" />}
          </Link>
        ))}
        <button type="button" aria-haspopup="dialog" className={look} onClick={() => setMore(true)}>
          <Ellipsis aria-hidden="true" />
          More
        </button>
      </nav>
      {more && <MoreSheet onClose={() => setMore(false)} />}
    </div>
  );
}
