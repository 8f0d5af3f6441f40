import { isUrl } from '@countersign/protocol/url';
import { z } from 'zod';
import { readsByName } from '../calls.ts';
import { changesByGet } from '../gets.ts';
import { routeOf } from '../route.ts';
import type { Shape } from './shape.ts';

/** Many requests in one: OData, Microsoft Graph, Google; and calls of JMAP (RFC 8620). They read if each does. */
export const isBatch: Shape = ({ sent, route, body }) => {
  if (body.shape === 'json')
    return isJmap(body.json) ?? (isOfBatch(route.segments) ? isJsonBatch(body.json) : null);
  if (!/^multipart\/mixed\b/i.test(sent.contentType)) return null;
  return isOfBatch(route.segments) && isMultipartBatch(sent.body, sent.url);
};

const isOfBatch = (segments: readonly (readonly string[])[]): boolean =>
  segments.at(-1)?.join('') === 'batch';

const readsAt = (path: string, base: string): boolean =>
  isUrl(path, base) && !changesByGet(routeOf(new URL(path, base).href));

/** RFC 2046 and `application/http`: each part is one request, and that a GET; no changes nested in it, no other method in a head. */
function isMultipartBatch(text: string, base: string): boolean {
  const count = (what: RegExp): number => text.match(what)?.length ?? 0;
  const requests = [...text.matchAll(/^[ \t]*([a-z]{3,20})[ \t]+(\S+)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*\r?$/gim)];
  const parts = count(/^--.*[^-\s][ \t]*\r?$/gm);
  return (
    parts > 0 &&
    parts <= maxParts &&
    parts === requests.length &&
    parts === count(/^content-type\s*:\s*application\/http\b/gim) &&
    !/^(content-type\s*:\s*multipart|x-http-method)/im.test(text) &&
    requests.every(([, method, path = '']) => method === 'GET' && readsAt(path, base))
  );
}

/** More than a page asks for at once. */
const maxParts = 100;

const jsonBatch = z.object({
  requests: z.array(z.object({ method: z.string(), url: z.string() })).min(1),
});

function isJsonBatch(json: unknown): boolean | null {
  const read = jsonBatch.safeParse(json);
  if (!read.success) return null;
  return read.data.requests.every(
    ({ method, url }) => method.toUpperCase() === 'GET' && readsAt(url, 'https://batch.invalid'),
  );
}

const jmap = z.strictObject({
  using: z.array(z.string()),
  methodCalls: z.array(z.tuple([z.string(), z.unknown(), z.string()])).min(1),
});

const isJmap = (json: unknown): boolean | null => {
  const read = jmap.safeParse(json);
  return read.success ? read.data.methodCalls.every(([name]) => readsByName(name)) : null;
};
