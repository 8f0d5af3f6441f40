import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as ask,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { answerJson } from '../http-server.ts';
import { otherCookies } from './sessions.ts';
import { ofOneConnection } from '../one-connection.ts';

export type Passage = {
  /** Hands the request on to the dashboard, and its answer back; pages of the console get the demo's wallet. */
  readonly pass: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Cuts off what is under way: a stream of events would have no end. */
  readonly close: () => void;
};

/** Returns whether a browser asks for a page to show, and not a script for data. */
export const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');

/** The way to this dashboard. */
export function openPassage(dashboard: URL): Passage {
  const agent = new Agent({ keepAlive: true });
  const underWay = new Set<ClientRequest>();

  const pass = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    new Promise((resolve) => {
      const { method, url: path } = request;
      const { hostname: host, port } = dashboard;
      const onward = ask({ agent, host, port, method, path, headers: headersOf(request, dashboard.host) });
      underWay.add(onward);
      response.once('close', () => {
        underWay.delete(onward);
        onward.destroy();
        resolve();
      });
      // Who went away on either side ends both.
      onward.on('response', (answer) => {
        giveBack(answer, wantsPage(request), response).catch(() => response.destroy());
      });
      onward.on('error', () => {
        if (response.headersSent || response.destroyed) response.destroy();
        else answerJson(response, 502, { error: 'the dashboard does not answer' });
      });
      request.pipe(onward);
    });

  return {
    pass,
    close() {
      for (const onward of underWay) onward.destroy();
      agent.destroy();
    },
  };
}

function headersOf(request: IncomingMessage, host: string) {
  const { cookie, ...others } = request.headers;
  // How a body ends stays as it was told: a body without an end would be read as the next request.
  const kept = Object.entries(others).filter(
    ([name]) => name === 'transfer-encoding' || !ofOneConnection.has(name),
  );
  const cookies = otherCookies(cookie ?? '');
  const headers = { ...Object.fromEntries(kept), host, ...(cookies !== '' && { cookie: cookies }) };
  // A page is changed on its way: it has to come whole and as it is.
  return wantsPage(request) ? { ...headers, 'accept-encoding': 'identity', 'if-none-match': '' } : headers;
}

async function giveBack(answer: IncomingMessage, isPage: boolean, response: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[] | undefined> = {
    ...Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !ofOneConnection.has(name))),
    // Nobody elsewhere learns the door's name.
    'referrer-policy': 'no-referrer',
  };
  const isHtml = /^text\/html\b/.test(answer.headers['content-type'] ?? '');
  if (!isPage || !isHtml) {
    response.writeHead(answer.statusCode ?? 502, headers);
    return pipeline(answer, response);
  }
  const page = withWallet((await buffer(answer)).toString('utf8'));
  const { etag: _, ...others } = headers;
  response.writeHead(answer.statusCode ?? 502, {
    ...others,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(page),
  });
  response.end(page);
}

const wallet = '<script type="module" src="/door/wallet.js"></script>';

/** Before the console's own scripts, so that the wallet is there when they look for one. */
const withWallet = (page: string): string =>
  page.includes('<div id="console">') ? page.replace('<script', `${wallet}<script`) : page;
