import { isDeepStrictEqual } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Settings } from './clients.ts';
import { readJson, withMember, withoutMember } from './json-text.ts';
import { digestOf } from './record.ts';
import { readToml, tableOf, withoutTable, withTable } from './toml-text.ts';

/** Our name in a client's settings. */
export const serverName = 'countersign';

type Entry = Settings['entry'];
type Form = Settings['form'];
type Members = Record<string, unknown>;

/** Returns the entry under our name; undefined if there is none. */
export function entryIn(form: Form, text: string): Result<unknown, string> {
  const servers = serversIn(form, text);
  return servers.ok ? ok(servers.value?.[serverName]) : servers;
}

/** The text with our entry in it, in place of one of our name; `text` is null where there is no file. Nothing else differs. */
export function withEntry(form: Form, text: string | null, entry: Entry): Result<string, string> {
  const before = text ?? '';
  const servers = serversIn(form, before);
  if (!servers.ok) return servers;
  const changed =
    form.kind === 'json'
      ? withMember(before, [form.under, serverName], entry)
      : withTable(servers.value?.[serverName] === undefined ? before : withoutTable(before), entry);
  return onlyOurs(form, before, changed, entry);
}

/** The text without our entry, or with that of our name in `earlier`, the file as it was; null where nothing is left of a file that we made. */
export function withoutEntry(
  form: Form,
  text: string,
  earlier: string | null,
): Result<string | null, string> {
  if (form.kind === 'toml') {
    const changed = onlyOurs(form, text, withoutTable(text), undefined);
    return changed.ok && changed.value.trim() === '' && earlier === null ? ok(null) : changed;
  }
  const before = serversIn(form, earlier ?? '');
  if (!before.ok) return fail(`its previous version cannot be read: ${before.error}`);
  const changed = withoutMember(text, [form.under, serverName], earlier);
  const judged = onlyOurs(form, text, changed, before.value?.[serverName]);
  if (!judged.ok || earlier !== null) return judged;
  const left = readJson(judged.value);
  return left.ok && Object.keys(left.value).length === 0 ? ok(null) : judged;
}

/** Returns the text for a person to add by hand. */
export const snippet = (form: Form, entry: Entry): string =>
  form.kind === 'toml'
    ? tableOf(entry)
    : `${JSON.stringify({ [form.under]: { [serverName]: entry } }, null, 2)}\n`;

/** Text is edited, and what a client will read is compared: any difference but our entry, and nothing is written. */
function onlyOurs(form: Form, text: string, changed: string, entry: unknown): Result<string, string> {
  const [before, after] = [readWhole(form, text), readWhole(form, changed)];
  if (!before.ok) return before;
  const isOurs =
    after.ok && isDeepStrictEqual(others(form, before.value), others(form, after.value)) && strictStays();
  if (!isOurs || digestOf(serversOf(form, after.value)?.[serverName]) !== digestOf(entry))
    return fail('its servers are written in a way that this command cannot change alone');
  return ok(changed);

  function strictStays(): boolean {
    return form.kind === 'toml' || !isStrictJson(text) || isStrictJson(changed);
  }
}

/** Everything but our entry; servers of which none is left are as none. */
function others(form: Form, whole: Members): Members {
  const { [underOf(form)]: _, ...rest } = whole;
  const { [serverName]: __, ...servers } = serversOf(form, whole) ?? {};
  return { rest, servers };
}

const underOf = (form: Form): string => (form.kind === 'json' ? form.under : 'mcp_servers');

const readWhole = (form: Form, text: string): Result<Members, string> =>
  form.kind === 'json' ? readJson(text) : readToml(text);

function serversIn(form: Form, text: string): Result<Members | undefined, string> {
  const whole = readWhole(form, text);
  if (!whole.ok) return whole;
  const servers = serversOf(form, whole.value);
  return servers === null ? fail(`its "${underOf(form)}" is no object`) : ok(servers);
}

/** Null for servers that are no object. */
function serversOf(form: Form, whole: Members): Members | null | undefined {
  const servers = whole[underOf(form)];
  if (servers === undefined) return undefined;
  return isObject(servers) ? servers : null;
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return text.replace(/^\uFEFF/, '').trim() === '';
  }
}
