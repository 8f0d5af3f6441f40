import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { parseAllowedUrls } from '@countersign/protocol/vault/url-scope';
import type { Alarm, Browser, Secret } from '../src/core/browser/browser.ts';
import { copyPage } from '../src/core/browser/mirror/copy.ts';
import { SessionMasker } from '../src/core/session/session-masker.ts';
import { boxesIn } from '../src/core/browser/boxes-in.ts';
import { paintOver } from '../src/core/browser/png.ts';
import { withoutHistory, withoutUntold } from '../src/launcher/jail/flags.ts';
import { type BrowserOptions, openBrowser } from '../src/core/browser/open.ts';

/** Chromium without a jail, as only tests may have it. */
export function startChromium(more: readonly string[] = [withoutUntold, withoutHistory]): {
  process: ChildProcess;
  to: Socket;
  from: Socket;
  stop: () => Promise<void>;
} {
  const profile = mkdtempSync(join(tmpdir(), 'countersign-browser-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-startup-window',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...more,
  ];
  const { path, env } = inject('chromium');
  const child = spawn(path, flags, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  return {
    process: child,
    to: child.stdio[3] as Socket,
    from: child.stdio[4] as unknown as Socket,
    stop: async () => {
      // The whole group, with what it has started.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** A secret like those that the session hands over: each opening gives bytes that are wiped afterwards. */
export const secretOf = (text: string, rest: Partial<Secret> = {}): Secret => ({
  allowedUrls: [],
  mode: 'network',
  open: async (use) => {
    const bytes = Buffer.from(text);
    try {
      return await use(bytes);
    } finally {
      bytes.fill(0);
    }
  },
  ...rest,
});

export type OpenedBrowser = Browser & {
  readonly alarms: Alarm[];
  readonly stop: () => Promise<void>;
  readonly pid: number;
};

/** A browser for these addresses, with what it reports. */
export async function browserFor(
  allowedUrls: readonly string[],
  options: Partial<BrowserOptions> = {},
  flags?: readonly string[],
): Promise<OpenedBrowser> {
  const chromium = startChromium(flags);
  const alarms: Alarm[] = [];
  const decoys = new SessionMasker();
  const browser = await openBrowser({
    started: { toBrowser: chromium.to, fromBrowser: chromium.from },
    allowedUrls: parseAllowedUrls(allowedUrls),
    onAlarm: (alarm) => alarms.push(alarm),
    mask: async (texts) => texts,
    paint: async (png, boxes, colour) => paintOver(Buffer.from(png), boxes, colour),
    copyPage: async (request) => copyPage(request, (texts) => texts),
    onDecoy: (decoy) => decoys.add(decoy, 'secret'),
    findBoxes: async (snapshots, isGiven) =>
      boxesIn(snapshots, { all: decoys.nodes, secrets: decoys.secretNodes }, isGiven),
    judgeSent: async () => 'pass',
    onGone: () => {},
    ...options,
  });
  return { ...browser, alarms, stop: chromium.stop, pid: chromium.process.pid ?? 0 };
}

export type Received = { readonly method: string; readonly url: string; readonly body: string };
export type Site = {
  readonly url: string;
  readonly received: Received[];
  readonly stop: () => Promise<void>;
};
type Answer =
  | string
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A site on a port of its own, which remembers what it was sent. */
export async function siteOf(
  answer: (request: Received, headers: IncomingHttpHeaders) => Answer | null,
): Promise<Site> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    void reply(request, response);
  });
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const got = {
      method: request.method ?? '',
      url: request.url ?? '',
      body: Buffer.concat(pieces).toString(),
    };
    received.push(got);
    const said = answer(got, request.headers);
    if (said === null) return void response.writeHead(404).end();
    const { status = 200, headers = {}, body = '' } = typeof said === 'string' ? { body: said } : said;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
