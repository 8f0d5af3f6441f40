import { legible } from './legible.ts';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';

type Shape = 'sheet' | 'dialog';

const shapes: Readonly<Record<Shape, string>> = {
  sheet:
    'mb-0 ml-auto mr-0 mt-0 h-dvh max-h-dvh w-full max-w-[480px] border-line sm:border-l [--from:24px_0]',
  dialog: 'm-auto max-h-[calc(100dvh-32px)] w-[calc(100%-32px)] max-w-[440px] rounded-lg border border-line',
};

type Props = {
  readonly title: string;
  readonly onClose: () => void;
  readonly shape?: Shape;
  /** The actions, at the lower edge. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/**
 * A modal surface: a sheet from the side for work, a small dialog for a question. The browser's own `<dialog>` keeps
 * the focus inside, closes on Escape and gives the focus back. Shown for as long as it is rendered.
 */
export function Sheet({ title, onClose, shape = 'sheet', actions, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className={classNames('arriving overflow-hidden bg-surface p-0', shapes[shape])}
    >
      <div className={classNames('flex flex-col', shape === 'sheet' ? 'h-full' : 'max-h-[inherit]')}>
        <header className="flex items-center justify-between gap-3 border-b border-line py-3 pl-6 pr-4">
          <Title id={titleId} text={legible(title)} />
          <IconButton label="Close" onClick={onClose}>
            <X />
          </IconButton>
        </header>
        <div
          // What scrolls must be reachable by keyboard.
          tabIndex={shape === 'sheet' ? 0 : undefined}
          className="min-h-0 flex-1 overflow-y-auto p-6 focus-visible:-outline-offset-2"
        >
          {children}
        </div>
        {actions !== undefined && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4">
            {actions}
          </footer>
        )}
      </div>
    </dialog>
  );
}

/** Long names scroll, and what scrolls must be reachable by keyboard; what does not is no stop on the way. */
function Title({ id, text }: { readonly id: string; readonly text: string }) {
  const ref = useRef<HTMLHeadingElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const title = ref.current;
    if (title === null) return;
    const observer = new ResizeObserver(() => setScrolls(title.scrollHeight > title.clientHeight));
    observer.observe(title);
    return () => observer.disconnect();
  }, [text]);
  return (
    <h2
      ref={ref}
      id={id}
      tabIndex={scrolls ? 0 : undefined}
      className="max-h-[30dvh] min-w-0 overflow-y-auto text-lg [overflow-wrap:anywhere] focus-visible:-outline-offset-2"
    >
      {text}
    </h2>
  );
}
