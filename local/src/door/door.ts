import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@countersign/service/logger';
import { z } from 'zod';
import { answerJson, type Handler, readJson, startHttpServer } from '../http-server.ts';
import { type DoorFile, doorFiles, readDoorFiles } from './files.ts';
import { pathOf, whyNotOurs } from './guard.ts';
import { createLinks } from './links.ts';
import { openPassage, wantsPage } from './passage.ts';
import { openPorch } from './porch.ts';
import {
  aboutRole,
  credentialsOf,
  doorRoles,
  linkTo,
  type RoleCredentials,
  type RoleLink,
  type RoleWallets,
  walletRoles,
} from './roles.ts';
import { createDoorSessions } from './sessions.ts';
import { signWish, wish } from './signing.ts';
import type { Whereabouts } from './whereabouts.ts';

export type DoorOptions = {
  readonly at: Whereabouts;
  readonly dashboard: URL;
  readonly chainId: number;
  readonly wallets: RoleWallets;
  readonly credentials: RoleCredentials;
  /** Whoever shows this gets new links: it stands in a file that only the system's owner reads. */
  readonly linksKey: string;
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
  readonly log: Logger;
};

export type Door = {
  /** A new link for each role: each lets one browser in, once, within an hour. */
  readonly newLinks: () => readonly RoleLink[];
  readonly stop: () => Promise<void>;
};

/**
 * The console of a demo, for browsers that were let in by a link: it stands before the dashboard, hands everything on,
 * and puts a wallet into the pages that signs with the demo's keys. Nothing of it is in the dashboard or the console.
 */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const { at, dashboard, log } = options;
  const passage = openPassage(dashboard);
  const links = createLinks(options.now, options.random);
  const newTokens = () => doorRoles.map((role) => ({ role, token: links.issue(role) }));
  const own = ownPaths({ ...options, links });
  const give = readDoorFiles({ dashboard: dashboard.origin });
  const answerPorch = openPorch({ ...options, passage, newTokens, opens: links.opens });

  const answerDoor = (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> | void => {
    if (path === '/door' || path.startsWith('/door/')) return own.answer(path, request, response);
    if (wantsPage(request) && !own.sessions.isKnown(request.headers)) return give(response, 'door.html', 403);
    return passage.pass(request, response);
  };

  const [doorHost, porchHost] = [new URL(at.origin).host, new URL(at.porch).host];
  const handle: Handler = async (request, response) => {
    const { host } = request.headers;
    // Only a browser that opened one of these addresses has this Host: a name of somebody else's that was made to lead
    // here (DNS rebinding) has not.
    if (host !== doorHost && host !== porchHost)
      return answerJson(response, 421, { error: `the console of this demo is opened at ${at.porch}` });
    const path = pathOf(request, at.porch);
    if (path === null) return answerJson(response, 400, { error: 'this is no path' });
    return host === doorHost ? answerDoor(path, request, response) : answerPorch(path, request, response);
  };
  const servers = await listen(Number(new URL(at.porch).port), log, handle);
  return {
    newLinks: () => newTokens().map((token) => linkTo(at.porch, token)),
    async stop() {
      passage.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** More than browsers send: cookies that other ports of this machine set are no reason to be refused. */
const maxHeaderSize = 1024 * 1024;

/** On both loopbacks, where there are two: a browser looks for a name below `localhost` at either. */
async function listen(port: number, log: Logger, handle: Handler) {
  const first = await startHttpServer({ host: '127.0.0.1', port, maxHeaderSize }, log, handle);
  try {
    return [first, await startHttpServer({ host: '::1', port, maxHeaderSize }, log, handle)];
  } catch (error) {
    if (error instanceof Error && /EADDRNOTAVAIL|EAFNOSUPPORT/.test(error.message)) return [first];
    await first.stop();
    throw error;
  }
}

type OwnParts = DoorOptions & { readonly links: ReturnType<typeof createLinks> };

/** The paths below `/door`. */
function ownPaths(parts: OwnParts) {
  const { at, now, random, links } = parts;
  const sessions = createDoorSessions(now, random);
  const give = readDoorFiles({ dashboard: parts.dashboard.origin });
  type Post = (body: unknown, request: IncomingMessage, response: ServerResponse) => void;
  const posts: Readonly<Record<string, Post>> = {
    '/door/roles': (_, __, response) =>
      answerJson(response, 200, { chainId: parts.chainId, roles: shownRoles(parts.wallets) }),
    '/door/entry': (body, { headers }, response) => {
      const asked = z.strictObject({ role: z.enum(doorRoles) }).safeParse(body);
      if (!asked.success) return answerJson(response, 400, { error: 'a role is asked for' });
      sessions.beginEntry(headers, asked.data.role);
      answerJson(response, 200, {});
    },
    '/door/log-in': (body, { headers }, response) => {
      const asked = z
        .strictObject({ role: z.enum(walletRoles), text: z.string().max(10_000) })
        .safeParse(body);
      if (!asked.success) return answerJson(response, 400, { error: 'this is no log-in' });
      const { role, text } = asked.data;
      if (!sessions.takeEntry(headers, role))
        return answerJson(response, 409, { error: 'nobody enters: the person is asked' });
      sign(parts, { role, wish: { text } }, response);
    },
    '/door/sign': (body, _, response) => {
      const asked = z.strictObject({ role: z.enum(walletRoles), wish }).safeParse(body);
      if (!asked.success) return answerJson(response, 400, { error: 'this is nothing to sign' });
      sign(parts, asked.data, response);
    },
    '/door/credentials': (body, _, response) => {
      const asked = z.strictObject({ role: z.enum(doorRoles) }).safeParse(body);
      if (!asked.success) return answerJson(response, 400, { error: 'a role is asked for' });
      answerJson(response, 200, credentialsOf(asked.data.role, parts.credentials));
    },
  };

  const enter = (body: unknown, response: ServerResponse) => {
    const shown = z.strictObject({ token: z.string().max(100) }).safeParse(body);
    const role = shown.success ? links.take(shown.data.token) : null;
    if (role === null) return answerJson(response, 410, { error: 'this link was used, or its hour is over' });
    const { cookie, key } = sessions.open();
    response.setHeader('set-cookie', cookie);
    answerJson(response, 200, { role, key });
  };

  const answer = async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = fileAt(path);
    if (file !== null && request.method === 'GET') return give(response, file);
    const wrong = whyNotOurs(request, at.origin);
    if (wrong !== null) return answerJson(response, wrong.status, { error: wrong.why });
    const post = posts[path];
    if (path !== '/door/enter' && post === undefined) return answerJson(response, 404, { error: 'not here' });
    const body = await readJson(request);
    if (post === undefined) return enter(body, response);
    if (!sessions.isWhole(request.headers))
      return answerJson(response, 401, { error: 'this browser was not let in' });
    post(body, request, response);
  };
  return { answer, sessions };
}

const pages: readonly string[] = ['/door', ...doorRoles.map((role) => `/door/${role}`)];

const fileAt = (path: string): DoorFile | null =>
  pages.includes(path) ? 'door.html' : (doorFiles.find((name) => path === `/door/${name}`) ?? null);

const shownRoles = (wallets: RoleWallets) =>
  doorRoles.map((role) => ({
    role,
    ...aboutRole[role],
    address: role === 'auditor' ? null : wallets[role].address,
  }));

type Asked = { readonly role: keyof RoleWallets; readonly wish: z.infer<typeof wish> };

function sign({ wallets, at, chainId }: DoorOptions, { role, wish }: Asked, response: ServerResponse): void {
  const signed = signWish(wish, { wallet: wallets[role], origin: at.origin, chainId });
  if (!signed.ok) return answerJson(response, 403, { error: signed.error });
  answerJson(response, 200, { signature: signed.value });
}
