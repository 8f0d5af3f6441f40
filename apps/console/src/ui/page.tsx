import { type ReactNode, useEffect } from 'react';
import { useReadsOnly } from '../session/session.ts';
import { legible } from './legible.ts';

type Props = {
  readonly title: string;
  /** One sentence under the title about the purpose of the page. */
  readonly about?: ReactNode;
  /** The page's actions; hidden from people who may only read. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page's heading and body. Sets the document's title. */
export function Page({ title: given, about, actions, children }: Props) {
  const title = legible(given);
  const readsOnly = useReadsOnly();
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  return (
    <>
      <header className="mb-7 flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h1 className="text-xl [overflow-wrap:anywhere]">{title}</h1>
          {about !== undefined && <p className="mt-1 max-w-[78ch] text-pretty text-muted">{about}</p>}
        </div>
        {actions !== undefined && !readsOnly && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {readsOnly && (
        <p className="-mt-4 mb-6 text-sm text-muted">You can view everything here but change nothing.</p>
      )}
      <div className="grid grid-cols-1 gap-6">{children}</div>
    </>
  );
}

type SectionProps = {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A card with a heading. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className="card min-w-0" aria-label={title}>
      <header className="flex min-h-13 items-center justify-between gap-4 border-b border-line px-5 py-2">
        <h2 className="text-base">{title}</h2>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
