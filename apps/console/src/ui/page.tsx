import { type ReactNode, useEffect } from 'react';

type Props = {
  readonly title: string;
  /** One sentence under the title: what this page is for. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page's heading and body. Sets the document's title. */
export function Page({ title, about, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  return (
    <>
      <header className="mb-7 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-xl">{title}</h1>
          {about !== undefined && <p className="mt-1 max-w-[78ch] text-pretty text-muted">{about}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="grid gap-6">{children}</div>
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
        {actions}
      </header>
      {children}
    </section>
  );
}
