import { existsSync, rmSync, statSync } from 'node:fs';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Settings } from './clients.ts';
import { entryIn, serverName, withEntry, withoutEntry } from './edit.ts';
import { backUp, digestOf, forget, type Kept, keep, keptOf } from './record.ts';
import { replace, target, textOf } from './replace.ts';

/** Puts our entry into a client's settings. Gives what was done; an error leaves the file as it is. */
export function connect(settings: Settings): Result<string, string> {
  const isThere = existsSync(settings.file) || existsSync(settings.folder);
  const done = tryToConnect(settings);
  if (!done.ok)
    return fail(
      `${settings.file} was left alone: ${done.error}. "countersign connect" with "--print" shows what to add by hand`,
    );
  const missing = isThere
    ? ''
    : `\n${settings.name} does not seem to be installed: ${settings.folder} was missing.`;
  return ok(`${done.value}${missing}`);
}

/** Takes our entry out again, or puts back the one of its name that was there before. What else changed since then stays. */
export function disconnect(settings: Settings): Result<string, string> {
  const done = tryToDisconnect(settings);
  return done.ok ? done : fail(`${settings.file} was left alone: ${done.error}`);
}

function tryToConnect({ name, file, form, entry }: Settings): Result<string, string> {
  const opened = open(file, form);
  if (!opened.ok) return opened;
  const { path, text, isOurs } = opened.value;
  const changed = mayReplace(form, opened.value) ? withEntry(form, text, entry) : fail(notOurs);
  if (!changed.ok) return changed;
  const begun = begin(opened.value);
  if (!begun.ok) return begun;
  const { backup, entries } = begun.value;
  const kept = { backup, entries: [...entries, digestOf(entry)], file: digestOf(changed.value) };
  const written = write(path, text, changed.value, kept);
  if (!written.ok) return isOurs ? written : takenBack(path, kept, written);
  const previous = isOurs || backup === null ? '' : ` The previous version is in ${backup}.`;
  return ok(`Written to ${file}.${previous} Restart ${name}.${warningOf(path)}`);
}

/** An entry of ours that was changed since is nobody's to write over; nor is another table of our name. */
const mayReplace = (form: Settings['form'], { own, isOurs, kept }: Opened): boolean =>
  isOurs || own === undefined || (kept === null && form.kind === 'json');

function tryToDisconnect({ name, file, form }: Settings): Result<string, string> {
  const opened = open(file, form);
  if (!opened.ok) return opened;
  const { path, text, own, kept, isOurs } = opened.value;
  if (text === null) return fail('it is not there');
  if (!isOurs || kept === null) return fail(own === undefined ? nothingOurs : `${nothingOurs}; ${notOurs}`);
  const before = previousOf(kept);
  if (!before.ok) return before;
  const isAsLeft = digestOf(text) === kept.file;
  const changed = isAsLeft ? before : withoutEntry(form, text, before.value);
  if (!changed.ok) return fail(`${changed.error}. Take "${serverName}" out by hand`);
  const written = replace(path, text, changed.value);
  if (!written.ok) return written;
  forget(path);
  const left = leftOver(kept, changed.value === before.value);
  return ok(`Taken out of ${file}.${left} Restart ${name}.`);
}

const nothingOurs = 'it holds no entry that "connect" wrote';
const notOurs = `its server named "${serverName}" is not as "connect" wrote it`;

type Opened = {
  readonly path: string;
  /** Null where there is no file. */
  readonly text: string | null;
  /** The entry under our name; undefined if there is none. */
  readonly own: unknown;
  readonly kept: Kept | null;
  /** It is what we wrote. */
  readonly isOurs: boolean;
};

function open(file: string, form: Settings['form']): Result<Opened, string> {
  const path = target(file);
  if (!path.ok) return path;
  const text = textOf(path.value);
  if (!text.ok) return text;
  const own = entryIn(form, text.value ?? '');
  if (!own.ok) return own;
  const kept = keptOf(path.value);
  const isOurs = own.value !== undefined && kept?.entries.includes(digestOf(own.value)) === true;
  return ok({ path: path.value, text: text.value, own: own.value, kept, isOurs });
}

/** Null where there was no file. */
function previousOf({ backup }: Kept): Result<string | null, string> {
  if (backup === null) return ok(null);
  const before = textOf(backup);
  return before.ok && before.value !== null
    ? before
    : fail(`its previous version, ${backup}, cannot be read. Take "${serverName}" out by hand`);
}

/** The previous version goes once the file is the same to the byte. */
function leftOver({ backup }: Kept, isSame: boolean): string {
  if (backup === null) return '';
  if (!isSame) return ` The previous version is in ${backup}.`;
  rmSync(backup, { force: true });
  return '';
}

/** Returns the backup that we have, or, the first time, the file as it is. */
function begin({ path, text, isOurs, kept }: Opened): Result<Kept, string> {
  if (isOurs && kept !== null) return ok(kept);
  const backup = text === null ? ok(null) : backUp(path, text);
  return backup.ok ? ok({ backup: backup.value, entries: [], file: '' }) : backup;
}

/** Writes the backup before the settings. INVARIANT: an entry in the settings is always recorded as ours. */
function write(path: string, before: string | null, text: string, kept: Kept): Result<void, string> {
  const done = keep(path, kept);
  return done.ok ? replace(path, before, text) : done;
}

function takenBack<T>(path: string, { backup }: Kept, why: T): T {
  forget(path);
  if (backup !== null) rmSync(backup, { force: true });
  return why;
}

/** Windows has no such bits. */
function warningOf(path: string): string {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return '';
  return `\nOther users of this machine may read the token: chmod 600 "${path}"`;
}
