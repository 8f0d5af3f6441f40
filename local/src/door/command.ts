import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { isRunning } from '@countersign/service/process-identity';
import { z } from 'zod';
import { paint } from '../progress.ts';
import { writeWhole } from '../write-whole.ts';
import { doorRoles, linkTo, type RoleLink } from './roles.ts';

const kept = z.object({
  url: z.string(),
  linksKey: z.string(),
  /** The process that has the door: whoever else listens there is not asked. */
  owner: z.object({ pid: z.number(), startedAt: z.string() }),
});

const fileIn = (dir: string): string => join(dir, 'door.json');

/** Tells a second command how to ask the door of this system; for its owner's eyes only. */
export const keepDoor = (dir: string, about: z.infer<typeof kept>): void =>
  writeWhole(fileIn(dir), `${JSON.stringify(about, null, 2)}\n`);

export const forgetDoor = (dir: string): void => rmSync(fileIn(dir), { force: true });

const answer = z.object({
  tokens: z.array(z.object({ role: z.enum(doorRoles), token: z.string().regex(/^[\w-]{22}$/) })),
});

const none = 'there is no demo with a door that runs';

/** New links from the door of the system that runs in `dir`, as lines to print; or one sentence why there are none. */
export async function askForLinks(dir: string): Promise<Result<readonly string[], string>> {
  if (!existsSync(fileIn(dir))) return fail(`${none} in ${dir}`);
  try {
    const { url, linksKey, owner } = kept.parse(JSON.parse(readFileSync(fileIn(dir), 'utf8')));
    if (!isRunning(owner)) return fail(`${none} in ${dir}`);
    const given = await fetch(new URL('/door/links', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${linksKey}` },
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    const { tokens } = answer.parse(await given.json());
    return ok(linkLines(tokens.map((token) => linkTo(url, token))));
  } catch {
    return fail(`${none} in ${dir}`);
  }
}

/** Returns one line for each role. */
export const linkLines = (links: readonly Pick<RoleLink, 'name' | 'url'>[]): readonly string[] => [
  paint('bold', 'Open the console'),
  ...links.map(({ name, url }) => `  ${name.padEnd(10)} ${url}`),
  '  Each link lets one browser in, once, within an hour. New ones: npm start -- --links',
  '  One role at a time in one browser: the last that you enter is the one in every tab.',
];
