import { legible } from './legible.ts';
import { X } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';

type Toast = { readonly tone: 'ok' | 'bad'; readonly text: string };

let current: (Toast & { readonly id: number }) | null = null;
let listener: () => void = () => {};
const shownMs = 6_000;

function put(toast: Toast | null): void {
  current = toast === null ? null : { ...toast, id: (current?.id ?? 0) + 1 };
  listener();
}

/** Says in one sentence what has just happened. The next one takes its place. */
export const showToast = (toast: Toast): void => put(toast);

function subscribe(onChange: () => void): () => void {
  listener = onChange;
  return () => {
    listener = () => {};
  };
}

/** Shows toasts, in a popover so that they lie above an open sheet. */
export function Toasts() {
  const toast = useSyncExternalStore(subscribe, () => current);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (toast === null) return;
    // Shown anew each time, to lie above whatever was opened since.
    ref.current?.hidePopover();
    ref.current?.showPopover();
    const timer = setTimeout(() => put(null), shownMs);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div
      ref={ref}
      popover="manual"
      role="status"
      aria-live="polite"
      className={classNames(
        'inset-auto bottom-20 left-1/2 -translate-x-1/2 rounded-md bg-ink text-canvas md:bottom-6',
        toast === null && 'invisible',
      )}
    >
      {toast !== null && (
        <div
          key={toast.id}
          className="arriving flex max-w-[min(92vw,460px)] items-center gap-1 py-1.5 pl-4 pr-1.5"
        >
          <span className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">{legible(toast.text)}</span>
          <IconButton
            label="Dismiss"
            onClick={() => put(null)}
            className="text-canvas hover:bg-transparent hover:text-canvas"
          >
            <X />
          </IconButton>
        </div>
      )}
    </div>
  );
}
