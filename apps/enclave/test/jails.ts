import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { StartedBrowser } from '../src/channel/browser-host.ts';
import { findEngine } from '../src/launcher/engine/find.ts';
import { Jailer, type JailerOptions } from '../src/launcher/jail/jailer.ts';
import { silent } from './core-on-socket.ts';

/** The bundle of the command, which the tests' setup builds: it holds the programs that run inside jails. */
export const program = fileURLToPath(new URL('../../../dist/countersign.js', import.meta.url));

/** A jailer in this process, as the launcher has one. */
export function newJailer(about: Partial<JailerOptions> = {}): Jailer {
  return new Jailer({
    isolation: 'required',
    allowPrivate: ['127.0.0.0/8'],
    limits: { memoryMb: 512, cpu: 2 },
    keepsReady: false,
    engine: () => findEngine(null),
    program,
    log: silent,
    ...about,
  });
}

export async function startIn(jailer: Jailer, allowedUrls: readonly string[]): Promise<StartedBrowser> {
  const started = await jailer.start({ sessionId: 'test', allowedUrls });
  if (!started.ok) throw new Error(started.error);
  return started.value;
}

type Answer = { readonly id?: number; readonly result?: Record<string, unknown>; readonly error?: unknown };

/** Speaks to a browser over its debugging pipe, in text; for tests alone. */
export class Cdp {
  readonly #browser: StartedBrowser;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #id = 0;
  #read = '';

  constructor(browser: StartedBrowser) {
    this.#browser = browser;
    browser.fromBrowser.setEncoding('utf8').on('data', (text: string) => this.#take(text));
  }

  call(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
    this.#id += 1;
    const id = this.#id;
    this.#browser.toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        result === undefined ? reject(new Error(JSON.stringify(error))) : resolve(result),
      );
    });
  }

  /** A page, for `evaluate`. */
  async newPage(url = 'about:blank'): Promise<string> {
    const { targetId } = await this.call('Target.createTarget', { url });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    return sessionId as string;
  }

  async evaluate(page: string, expression: string): Promise<unknown> {
    const about = { expression, awaitPromise: true, returnByValue: true };
    const answer = await this.call('Runtime.evaluate', about, page);
    return (answer['result'] as { value?: unknown }).value;
  }

  #take(text: string): void {
    const messages = `${this.#read}${text}`.split('\0');
    this.#read = messages.pop() ?? '';
    for (const message of messages) {
      const answer = JSON.parse(message) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    }
  }
}

export type Site = { readonly url: string; readonly paths: string[]; readonly server: Server };

/** A page on the machine's own loopback, which remembers what was asked of it. */
export async function startSite(): Promise<Site> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.setHeader('content-type', 'text/html').end('<title>site</title><h1>hello</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, server };
}
