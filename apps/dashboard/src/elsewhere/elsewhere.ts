import type { Env } from '@countersign/service/http-answer';
import { addressOf } from '@countersign/service/http-call';
import type { Service } from '@countersign/service/lifecycle';
import { repeat } from '@countersign/service/repeat';
import { createRateLimit } from '@countersign/service/rate-limit';
import type { Pool } from '@countersign/service/sql';
import type { Logger } from '@countersign/service/logger';
import { ok, type Result } from '@countersign/protocol/result';
import type { Hono } from 'hono';
import type { Sessions } from '../auth/session.ts';
import type { DashboardConfig } from '../config.ts';
import { openRelay, relayedUnder } from '../control-plane/relay.ts';
import type { Events } from '../events/events.ts';
import type { RandomBytes } from '../ids.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { startTellingEndings } from './endings.ts';
import { controlEntrance, vaultEntrance } from './entrances.ts';
import { type Assert, asserter, createPasses, type Entrance, type Passes, type Seen } from './passes.ts';
import { openVaultRelay, vaultUnder } from './vault.ts';

/** Answers what is asked below a path, of this caller's address. */
type Relay = (request: Request, address: string) => Promise<Response>;

/** The other parts of the console, for people who are signed in here. */
export type Elsewhere = Service & { readonly relays: readonly (readonly [under: string, relay: Relay])[] };

type Parts = {
  readonly pool: Pool;
  readonly sessions: Sessions;
  readonly events: Pick<Events, 'listen'>;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
};

type Wanted = Pick<DashboardConfig, 'vaultUrl' | 'controlPlane' | 'signInKey' | 'limits'>;

/** Puts the ways elsewhere among the routes of an app. */
export function handOn(app: Hono<Env>, { relays }: Elsewhere): void {
  for (const [under, relay] of relays)
    app.all(`${under}/*`, async (c) => {
      c.set('route', under);
      const answer = await relay(c.req.raw, addressOf(c));
      answer.headers.set('x-request-id', c.get('requestId'));
      return answer;
    });
}

const tidyEveryMs = 5_000;

/** Opens the ways to vault and control plane. Without a key of sign-ins only the control plane's, for keys that pages show. */
export function openElsewhere(config: Wanted, parts: Parts): Elsewhere {
  const { pool, events, now, random, log } = parts;
  const assert = config.signInKey && asserter(config.signInKey, random);
  const vault =
    assert && config.vaultUrl && openVault(config.vaultUrl, assert, parts, config.limits.requests);
  const control =
    config.controlPlane && openControl(config.controlPlane, assert, parts, config.limits.requests);
  const entrances = [vault?.entrance ?? [], control?.entrance ?? []].flat();
  const telling = startTellingEndings({ pool, entrances, assert: assert ?? nobody, now, log });
  events.listen(({ kind, id }) => {
    if (kind === 'person' || kind === 'lost') telling.soon();
    if (kind !== 'session' && kind !== 'lost') return;
    for (const part of [vault, control]) part?.drop(kind === 'lost' ? null : String(id));
  });
  const tidying = repeat(log, 'leave other parts', tidyEveryMs, async () => {
    for (const part of [vault, control]) if (part) await part.tidy();
  });
  return {
    relays: [
      ...(vault ? [[vaultUnder, vault.relay] as const] : []),
      ...(control ? [[relayedUnder, control.relay] as const] : []),
    ],
    async stop() {
      await Promise.all([telling.stop(), tidying.stop()]);
      await Promise.all([vault?.close(), control?.close()]);
    },
  };
}

type Open = {
  readonly relay: Relay;
  readonly entrance: Entrance | null;
  readonly drop: (sessionId: string | null) => void;
  readonly tidy: () => Promise<void>;
  readonly close: () => Promise<unknown>;
};

function openVault(url: URL, assert: Assert, { sessions, now, log }: Parts, perMinute: number): Open {
  const entrance = vaultEntrance(url);
  const passes = createPasses({ entrance, assert, now, log });
  const relay = openVaultRelay(url, {
    passes,
    limit: createRateLimit(perMinute, now),
    whoCalls: (request) => whoCalls(sessions, now, request),
  });
  return {
    entrance,
    drop: relay.drop,
    tidy: passes.tidy,
    relay: relay.answer,
    close: () => Promise.all([relay.close(), entrance.close()]),
  };
}

type ControlPlane = NonNullable<DashboardConfig['controlPlane']>;

function openControl(
  config: ControlPlane,
  assert: Assert | null,
  { sessions, now, log }: Parts,
  perMinute: number,
): Open {
  const entrance = assert && controlEntrance(config);
  const passes: Passes | null = assert && entrance && createPasses({ entrance, assert, now, log });
  const people = passes && { passes, whoCalls: (request: Request) => whoCalls(sessions, now, request) };
  const { relay, close } = openRelay(config, createRateLimit(perMinute, now), people);
  return {
    entrance,
    relay,
    drop: (sessionId) => passes?.drop(sessionId),
    tidy: async () => passes?.tidy(),
    close: () => Promise.all([close(), entrance?.close()]),
  };
}

/** Who is signed in; or why nobody is heard. What other sites or ports make a browser ask is never for these pages. */
async function whoCalls(
  sessions: Sessions,
  now: () => Date,
  request: Request,
): Promise<Result<Seen, Refusal>> {
  const from = request.headers.get('sec-fetch-site') ?? 'same-origin';
  if (from !== 'same-origin' && from !== 'none')
    return refusal('UNAUTHORIZED_OPERATION', 'pages of other sites may not ask this');
  // Before the session is looked at: who is removed meanwhile was seen before that.
  const seenAt = now();
  const called = await sessions.whoCalls(request.headers, request.method);
  return called.ok ? ok({ ...called.value, seenAt }) : called;
}

const nobody: Assert = () => Promise.reject(new Error('SIGN_IN_KEY is not set'));
