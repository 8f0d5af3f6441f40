import type { IncomingMessage } from 'node:http';
import { answerByListener } from '@countersign/service/answer-by-listener';
import type { Env } from '@countersign/service/http-answer';
import { addressOf } from '@countersign/service/http-call';
import type { Hono } from 'hono';
import type { Pool } from '@countersign/service/sql';
import type { Logger } from '@countersign/service/logger';
import { ensureSigningKey } from '../auth/store.ts';
import type { RandomBytes } from '../ids.ts';
import type { FetchDocument } from './fetch-document.ts';
import { type FrontParts, oauthFront, protocolPaths } from './front.ts';
import { interactionPath } from './paths.ts';

type Settings = { readonly oauth: boolean; readonly origins: readonly [string, ...string[]] };
type Outside = {
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
  readonly fetchDocument: FetchDocument;
};

/** The authorization server, or null where it is off. */
export async function openOauth(pool: Pool, { oauth, origins }: Settings, outside: Outside) {
  if (!oauth) return null;
  const { now, random } = outside;
  const [issuer] = origins;
  // Loaded only here: oidc-provider tells each process on Node 20 that it is made for later ones (0030).
  const { createProvider } = await import('./provider.ts');
  const cookieKey = await ensureSigningKey(pool, 'oauth-cookies', random(32), now());
  return { issuer, provider: createProvider({ pool, issuer, cookieKey, ...outside }) };
}

/** Puts the protocol's own paths beside those of the API. Whoever has to consent is led to the console's page. */
export function serveOauth(app: Hono<Env>, parts: FrontParts): void {
  const front = oauthFront(parts);
  for (const path of protocolPaths) {
    app.all(path, async (c) => {
      c.set('route', path);
      const { incoming } = c.env;
      const serve = (outgoing: Parameters<typeof front.answer>[3]) =>
        front.answer(c.req.raw, addressOf(c), incoming as IncomingMessage, outgoing);
      return answerByListener(c, serve);
    });
  }
  app.get(interactionPath(':uid'), (c) => {
    c.set('route', interactionPath(':uid'));
    return c.redirect(`/connect/${encodeURIComponent(c.req.param('uid') ?? '')}`, 303);
  });
}
