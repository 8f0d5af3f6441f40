import { Link } from '@tanstack/react-router';
import { buttonLook } from './button.tsx';

type Props = { readonly page: number; readonly limit: number; readonly total: number };

/** The way to the neighbouring pages of a list; `page` stands in the address. Nothing where one page holds all. */
export function Pager({ page, limit, total }: Props) {
  const last = Math.max(1, Math.ceil(total / limit));
  if (last === 1) return null;
  const to = (name: string, target: number) =>
    target >= 1 && target <= last ? (
      <Link
        to="."
        search={((old: object) => ({ ...old, page: target === 1 ? undefined : target })) as never}
        className={buttonLook('plain')}
      >
        {name}
      </Link>
    ) : (
      // Read as text, so that its contrast is that of text: it is no disabled control.
      <span className="inline-flex min-h-9 items-center px-3.5 text-sm text-muted">{name}</span>
    );
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 border-t border-line px-5 py-3">
      <p className="figures mr-auto text-sm text-muted">
        Page {page} of {last} · {total} total
      </p>
      {to('Previous', page - 1)}
      {to('Next', page + 1)}
    </nav>
  );
}
