import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, readJson } from '../http-server.ts';
import { readDoorFiles } from './files.ts';
import { whyNotOurs } from './guard.ts';
import { type Passage, wantsPage } from './passage.ts';
import type { RoleToken } from './roles.ts';
import type { Whereabouts } from './whereabouts.ts';

type Parts = {
  readonly at: Whereabouts;
  readonly dashboard: URL;
  readonly passage: Passage;
  readonly linksKey: string;
  readonly newTokens: () => readonly RoleToken[];
  /** Returns whether this token would open the door; it is not used up. */
  readonly opens: (token: string) => boolean;
};

const proof = z.union([
  z.strictObject({ token: z.string().max(100) }),
  z.strictObject({ known: z.string().max(100) }),
]);

/**
 * The address that everybody may know, where links and `approvalUrl` lead. It has no cookie and nothing of the console:
 * its one page tells a browser with a link the door's own name, keeps it in the storage of this port, and goes there.
 */
export function openPorch({ at, dashboard, passage, linksKey, newTokens, opens }: Parts) {
  const give = readDoorFiles({ dashboard: dashboard.origin });

  const tellName = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const wrong = whyNotOurs(request, at.porch);
    if (wrong !== null) return answerJson(response, wrong.status, { error: wrong.why });
    const shown = proof.safeParse(await readJson(request));
    const isProven =
      shown.success && ('token' in shown.data ? opens(shown.data.token) : shown.data.known === at.origin);
    if (!isProven) return answerJson(response, 410, { error: 'this link was used, or its hour is over' });
    answerJson(response, 200, { origin: at.origin });
  };

  return async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (path === '/door/links') return answerLinks(linksKey, newTokens, request, response);
    if (path === '/door/name') return tellName(request, response);
    if (request.method !== 'GET') return answerJson(response, 405, { error: 'method must be GET' });
    if (path === '/icon.svg') return passage.pass(request, response);
    if (path === '/door/door.css') return give(response, 'door.css');
    if (path === '/door/porch.js') return give(response, 'porch.js');
    if (wantsPage(request)) return give(response, 'porch.html');
    answerJson(response, 404, { error: 'not here' });
  };
}

/** Answers the command line only: a browser would send its origin. */
function answerLinks(
  linksKey: string,
  newTokens: Parts['newTokens'],
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (method !== 'POST') return answerJson(response, 405, { error: 'method must be POST' });
  const isOwner = headers.origin === undefined && headers.authorization === `Bearer ${linksKey}`;
  if (!isOwner) return answerJson(response, 403, { error: 'npm start -- --links asks this' });
  answerJson(response, 200, { tokens: newTokens() });
}
