import { isUtf8 } from 'node:buffer';
import type { PayeeFile } from '@countersign/protocol/dashboard/payees';

type MediaType = PayeeFile['mediaType'];

/** The leading bytes of each type of file; text may begin with anything. */
const beginnings: Readonly<Record<MediaType, string>> = {
  'application/pdf': '%PDF-',
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff',
  'text/plain': '',
};

/** Control characters, which text files do not contain and terminals interpret. */
const controls = /[^\P{Cc}\t\n\f\r]/u;

/** Returns whether a file begins as those of its type do; a text is UTF-8 without control characters. */
export function isOfType(bytes: Buffer, mediaType: MediaType): boolean {
  const begins = beginnings[mediaType];
  if (bytes.toString('latin1', 0, begins.length) !== begins) return false;
  return mediaType !== 'text/plain' || (isUtf8(bytes) && !controls.test(bytes.toString()));
}

const endings: Readonly<Record<MediaType, readonly [string, ...string[]]>> = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'text/plain': ['.txt'],
};

const maxName = 128;

/** A name under which a file may be stored on any disk: no folder, nothing hidden or reserved, with the ending of its type. */
export function fileName(given: string, mediaType: MediaType): string {
  const bare = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const name = bare === '' ? 'file' : bare;
  const [ending, ...others] = endings[mediaType];
  if ([ending, ...others].some((each) => name.toLowerCase().endsWith(each))) return name;
  const cut = name.slice(0, maxName - ending.length).replace(/[\ud800-\udbff]$/, '');
  return `${cut}${ending}`;
}
