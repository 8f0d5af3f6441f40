import { Fact } from '../../ui/facts.tsx';
import { legible } from '../../ui/legible.ts';
import { formatSays, Hash, leavingNames, sizeSays } from '../left.tsx';
import type { AuditRecord } from './record.ts';

type Left = {
  readonly what: string;
  readonly page: string;
  readonly size: string;
  /** Null for several pictures, which stand in the details. */
  readonly digest: string | null;
};

/** Parses a `content_left` record; null for any other. The record is untrusted. */
export function leftIn({ eventType, detail }: AuditRecord): Left | null {
  if (eventType !== 'content_left') return null;
  const { what, page, bytes, mediaType, pictures, saltedSha256 } = detail;
  const much = `${sizeSays(Number(bytes))} of ${formatSays(String(mediaType))}`;
  return {
    what: leavingNames[what as keyof typeof leavingNames] ?? legible(String(what)),
    page: typeof page === 'string' ? legible(page) : 'no page',
    size: Array.isArray(pictures) ? `${pictures.length} pictures, ${much}` : much,
    digest: typeof saltedSha256 === 'string' ? saltedSha256 : null,
  };
}

/** The same as facts of a record's sheet. */
export function LeftRecordFacts({ record }: { record: AuditRecord }) {
  const left = leftIn(record);
  if (left === null) return null;
  return (
    <>
      <Fact name="Content">{left.what}</Fact>
      <Fact name="Page">
        <span className="font-mono text-xs [overflow-wrap:anywhere]">{left.page}</span>
      </Fact>
      <Fact name="Size">{left.size}</Fact>
      {left.digest !== null && (
        <Fact name="SHA-256 of salt and content">
          <Hash value={left.digest} name="salted SHA-256" />
        </Fact>
      )}
    </>
  );
}
