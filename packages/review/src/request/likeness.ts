import type { SentRequest } from './seen.ts';

const clock = String.raw`(?:t|ts|timestamp|now|sent_?at|client_?time|last_?seen|_)`;
const counter = '(?:seq|sequence|counter|tick)';
const chance = '(?:nonce|rnd|random|cache_?buster|trace_?id|span_?id|correlation_?id)';
const values = String.raw`\d{9,14}(?:\.\d{1,9})?|\d{4}-\d\d-\d\dT[\d:.%A-F]{5,30}Z?`;

/** What differs from one sending to the next, and says nothing: by its name and by its value. No amount, id or verb. */
const passing = [
  [clock, values],
  [counter, String.raw`\d{1,9}`],
  [chance, String.raw`[\w.-]{8,80}|\d{1,20}(?:\.\d{1,20})?`],
].flatMap(([names, value]) => [
  new RegExp(String.raw`("${names}"\s{0,5}:\s{0,5})"?(?:${value})"?(?=\s{0,5}[,}])`, 'gi'),
  new RegExp(String.raw`((?:^|[?&\n])${names}=)(?:${value})(?=[&#\n]|$)`, 'gi'),
]);

/**
 * The same for requests that do the same: of one method, address and body but for the time. Null where that is not to be told: of a
 * body that is cut, and of what is no text.
 */
export function likenessOf({
  method,
  url,
  contentType,
  action = '',
  body,
  isCut,
}: SentRequest): string | null {
  if (isCut === true || body.includes('\uFFFD')) return null;
  const text = [method, url, contentType, action, body].join('\n');
  return passing.reduce((rest, one) => rest.replaceAll(one, '$1'), text);
}
