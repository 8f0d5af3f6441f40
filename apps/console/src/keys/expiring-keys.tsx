import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { beginningOf } from '../ui/brief.tsx';
import { Notice } from '../ui/notice.tsx';
import { Time, useNow } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { type ApiKey, expiresSoon, keyLife } from './life.ts';
import { keys } from './queries.ts';
import { useMay } from '../session/session.ts';

const weekMs = 7 * 24 * 60 * 60_000;

/** Keys that end within 14 days, or ended within the last seven, and were not rolled; nothing where there are none. */
export function ExpiringKeys() {
  const list = useQuery({ ...keys, enabled: useMay('listKeys') });
  const now = useNow();
  const ended = (key: ApiKey) =>
    keyLife(key, now) === 'expired' && now - Date.parse(key.expiresAt ?? '') <= weekMs;
  const due = (list.data?.data ?? []).filter((key) => expiresSoon(key, now) || ended(key));
  if (due.length === 0) return null;
  return (
    <Notice tone="warn">
      <ul className="grid gap-1">
        {due.map((key) => (
          <li key={key.id}>
            API key “<Verbatim text={beginningOf(key.name)} />” {ended(key) ? 'expired' : 'expires'}{' '}
            <Time at={key.expiresAt ?? ''} as="relative" />.{' '}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-pretty">
        Requests with an expired key are refused: a gateway then pays nothing.{' '}
        <Link to="/keys" className="font-medium underline underline-offset-4">
          Roll it
        </Link>{' '}
        and use the new one in its place.
      </p>
    </Notice>
  );
}
