import type { Leaving, MediaType, WhatLeft } from '@countersign/protocol/vault/left';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { legible } from '../ui/legible.ts';

/** The label of each kind of content that can leave a session. */
export const leavingNames: Readonly<Record<Leaving, string>> = {
  extract: 'Page text',
  script_result: 'Script result',
  export: 'Export',
  screenshot: 'Screenshot',
  approval_picture: 'Approval screenshot',
  live_view: 'Live view pictures',
};

const formats: Readonly<Record<MediaType, string>> = {
  'text/plain': 'text',
  'text/csv': 'CSV',
  'application/json': 'JSON',
  'image/png': 'PNG',
};

const count = new Intl.NumberFormat('en');

/** `1,024 bytes`: never rounded, so that it can be compared with a file. */
export const sizeSays = (bytes: number): string => `${count.format(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;

export const formatSays = (mediaType: string): string =>
  formats[mediaType as MediaType] ?? legible(mediaType);

/** Describes in one line what left the session. */
export function leftSays(left: WhatLeft): string {
  const much = `${sizeSays(left.bytes)} of ${formatSays(left.media_type)}`;
  if (left.what !== 'live_view') return much;
  return `${count.format(left.pictures)} ${left.pictures === 1 ? 'picture' : 'pictures'}, ${much}`;
}

/** Shows what left with one operation: the page, the size, and the digest to compare a file with. */
export function LeftFacts({ left, sessionId }: { left: WhatLeft; sessionId: string }) {
  const isOnce = left.what !== 'live_view';
  return (
    <section aria-label="Content that left the session" className="mt-5">
      <h3 className="mb-1 text-base">Content that left the session</h3>
      <Facts>
        <Fact name="What">{leavingNames[left.what]}</Fact>
        <Fact name="Page">
          <span className="font-mono text-xs [overflow-wrap:anywhere]">
            {left.page === null ? 'none' : legible(left.page)}
          </span>
        </Fact>
        <Fact name="Size">{leftSays(left)}</Fact>
        {isOnce && (
          <>
            <Fact name="SHA-256">
              <Hash value={left.sha256} name="SHA-256" />
            </Fact>
            <Fact name="Record salt">
              <Hash value={left.salt} name="salt" />
            </Fact>
          </>
        )}
        <Fact name="Audit record">
          <Link
            to="/vault/audit"
            search={{ session: sessionId, record: left.audit_id }}
            className="font-mono text-xs text-accent-ink underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {left.audit_id}
          </Link>
        </Fact>
      </Facts>
      <p className="mt-2 text-sm text-pretty text-muted">
        {isOnce
          ? 'If you have the file, compare its SHA-256 with this one. The audit record holds the SHA-256 of salt and file together, so that no one can guess from the log what was read.'
          : 'The audit log lists each picture with its time, size and digest.'}
      </p>
    </section>
  );
}

/** A hash, whole: somebody compares it. */
export const Hash = ({ value, name }: { value: string; name: string }) => (
  <span className="flex items-center gap-1">
    <code className="min-w-0 font-mono text-xs break-all">{value}</code>
    <CopyButton text={value} label={`Copy ${name}`} />
  </span>
);
