import type { Socket } from 'node:net';
import type { SandboxAbout } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import type {
  BrowserEnd,
  BrowserHost,
  BrowserRequest,
  Refused,
  StartedBrowser,
} from '../../channel/browser-host.ts';
import type { BrowserNews, BrowserOrder } from '../../channel/browsers.ts';

export type RemoteHost = BrowserHost & {
  /** News from the launcher, with the socket that came along. */
  readonly hear: (news: BrowserNews, socket?: Socket) => void;
};

/** The core's hand on browsers that the launcher makes. */
export function remoteHost(order: (order: BrowserOrder) => void): RemoteHost {
  const browsers = new Map<number, Remote>();
  let last = 0;
  let about: SandboxAbout | null = null;
  return {
    about: () => about,
    start: (request) => {
      last += 1;
      const browser = new Remote(last, order);
      browsers.set(last, browser);
      return browser.start(request);
    },
    hear: (news, socket) => {
      if (news.news === 'known') {
        about = news.about;
        return;
      }
      browsers.get(news.id)?.hear(news, socket);
      if (news.news === 'ended' || news.news === 'unavailable') browsers.delete(news.id);
    },
  };
}

type OneNews = Exclude<BrowserNews, { readonly news: 'known' }>;

class Remote {
  readonly #id: number;
  readonly #order: (order: BrowserOrder) => void;
  #toBrowser: Socket | undefined;
  #fromBrowser: Socket | undefined;
  #started: (result: Result<StartedBrowser, string>) => void = () => {};
  #ended: (how: BrowserEnd) => void = () => {};
  #onRefused: ((refused: Refused) => void) | null = null;
  /** Came before anybody listened. */
  readonly #early: Refused[] = [];

  constructor(id: number, order: (order: BrowserOrder) => void) {
    this.#id = id;
    this.#order = order;
  }

  start(request: BrowserRequest): Promise<Result<StartedBrowser, string>> {
    return new Promise((resolve) => {
      this.#started = resolve;
      this.#order({ order: 'start', id: this.#id, request });
    });
  }

  hear(news: OneNews, socket?: Socket): void {
    // What a dead browser leaves of its pipe is told by its end.
    socket?.on('error', () => {});
    switch (news.news) {
      case 'toBrowser':
        this.#toBrowser = socket;
        return;
      case 'fromBrowser':
        this.#fromBrowser = socket;
        return;
      case 'started':
        return this.#started(this.#finish(news.isolation));
      case 'unavailable':
        return this.#started(fail(news.why));
      case 'refused':
        if (this.#onRefused === null) this.#early.push(news.refused);
        else this.#onRefused(news.refused);
        return;
      case 'ended':
        return this.#ended(news.how);
    }
  }

  #finish(isolation: SandboxIsolation): Result<StartedBrowser, string> {
    const [toBrowser, fromBrowser] = [this.#toBrowser, this.#fromBrowser];
    if (toBrowser === undefined || fromBrowser === undefined) return fail('the browser ended at once');
    const ended = new Promise<BrowserEnd>((resolve) => {
      this.#ended = resolve;
    });
    return ok({
      toBrowser,
      fromBrowser,
      isolation,
      ended,
      onRefused: (hear) => {
        this.#onRefused = hear;
        for (const refused of this.#early.splice(0)) hear(refused);
      },
      stop: async () => {
        this.#order({ order: 'stop', id: this.#id });
        await ended;
      },
    });
  }
}
