import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { identityOf, isRunning, type ProcessIdentity, signal } from './process-identity.ts';
import { makeFolder } from './make-folder.ts';

const identity = z.object({ pid: z.int(), startedAt: z.string() });
const record = z.object({ owner: identity, children: z.array(identity.extend({ name: z.string() })) });
type RunRecord = z.infer<typeof record>;

type RecordedChild = ProcessIdentity & { readonly name: string };

/** The file that names an owner and its children, for whoever starts after the owner was killed. */
export type ProcessRecord = {
  /** Never throws: at worst a later start learns of a process too few, which the watcher knows. */
  readonly write: (children: Iterable<RecordedChild>) => void;
  readonly remove: () => void;
};

/**
 * Takes the record file for this process. What a dead owner left running is stopped first; while the owner
 * lives, this throws: two owners of one directory would undo each other's work.
 */
export async function claimRecord(file: string): Promise<ProcessRecord> {
  const owner = identityOf(process.pid);
  if (owner === null) throw new Error('this process cannot read its own start time');
  const mine = `${file}.${process.pid}`;
  const writeMine = (children: RunRecord['children']) =>
    writeFileSync(mine, `${JSON.stringify({ owner, children } satisfies RunRecord, null, 2)}\n`, {
      mode: 0o600,
    });

  makeFolder(dirname(file));
  writeMine([]);
  try {
    while (!linked(mine, file)) await replaceDeadOwner(file);
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    write: (children) => {
      try {
        writeMine(Array.from(children, ({ pid, startedAt, name }) => ({ pid, startedAt, name })));
        renameSync(mine, file);
      } catch {
        // The disk is full, or the directory is gone.
      }
    },
    remove: () => rmSync(file, { force: true }),
  };
}

/** A hard link is made only where no file stands: of several that start at once, one gets the name. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function replaceDeadOwner(file: string): Promise<void> {
  const text = readText(file);
  if (text === null) return;
  const parsed = record.safeParse(parseJson(text));
  if (parsed.success) {
    const { owner, children } = parsed.data;
    if (isRunning(owner))
      throw new Error(`process ${owner.pid} already runs on ${dirname(file)}; stop it first`);
    await stopLeftovers(children);
  }
  // Another start may have replaced the file meanwhile; only the one that was read may go.
  const aside = `${file}.old-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (readText(aside) !== text) linked(aside, file);
  rmSync(aside, { force: true });
}

const graceMs = 8000;

async function stopLeftovers(children: RunRecord['children']): Promise<void> {
  let running = children.filter((child) => signal(child, 'SIGINT'));
  const deadline = Date.now() + graceMs;
  while (running.length > 0 && Date.now() < deadline) {
    await sleep(20);
    running = running.filter(isRunning);
  }
  for (const child of running) signal(child, 'SIGKILL');
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
