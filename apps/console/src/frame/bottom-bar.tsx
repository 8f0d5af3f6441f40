import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { DestinationLink } from './destination-link.tsx';
import { MoreSheet } from './more-sheet.tsx';
import { inTheBar, useDestinations, useWaitingUnderMore } from './navigation.ts';
import { WaitingCount } from './waiting-count.tsx';

const look =
  'relative flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-muted focus-visible:-outline-offset-2 ' +
  'aria-[current]:font-medium aria-[current]:text-accent-ink [&_svg]:size-5';

const countAt = 'absolute left-[calc(50%+4px)] top-1';

/** The navigation of a small screen, within reach of the thumb. */
export function BottomBar() {
  const destinations = useDestinations();
  const [more, setMore] = useState(false);
  return (
    <div className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden">
      <nav aria-label="Main" className="flex">
        {destinations.slice(0, inTheBar).map((page) => (
          <DestinationLink key={page.to} destination={page} className={look} countAt={countAt} />
        ))}
        <button type="button" aria-haspopup="dialog" className={look} onClick={() => setMore(true)}>
          <Ellipsis aria-hidden="true" />
          More
          <WaitingCount of={useWaitingUnderMore} className={countAt} />
        </button>
      </nav>
      {more && <MoreSheet onClose={() => setMore(false)} />}
    </div>
  );
}
