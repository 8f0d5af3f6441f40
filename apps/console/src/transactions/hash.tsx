import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { ask } from '../api/queries.ts';
import { Address } from '../ui/address.tsx';
import { explorerLink } from './explorer.ts';

/** A transaction's hash, with the way to where anybody can look it up. */
export function Hash({ chain, hash }: { chain: string; hash: string }) {
  const site = useQuery(ask('GET /api/site', {}));
  const link = site.data === undefined ? null : explorerLink(chain, hash, site.data);
  return (
    <span className="inline-flex items-center gap-1">
      <Address value={hash} name="hash" />
      {link !== null && (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          Explorer
          <ExternalLink aria-hidden="true" className="size-3.5" />
        </a>
      )}
    </span>
  );
}
