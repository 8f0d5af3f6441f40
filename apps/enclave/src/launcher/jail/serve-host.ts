import type { Socket } from 'node:net';
import type { Logger } from '@countersign/service/logger';
import type { BrowserHost, BrowserRequest, StartedBrowser } from '../../channel/browser-host.ts';
import type { BrowserNews, BrowserOrder } from '../../channel/browsers.ts';

export type ServedHost = {
  readonly hear: (order: BrowserOrder) => void;
  /** The core is gone: its browsers end, also those that are on their way. */
  readonly lose: () => void;
};

/** Does what the core asks of browsers, and hands it the pipe of each: the launcher reads not a byte of it. */
export function serveHost(
  host: BrowserHost,
  tell: (news: BrowserNews, socket?: Socket) => void,
  log: Logger,
): ServedHost {
  let isLost = false;
  const browsers = new Map<number, StartedBrowser>();
  const start = async (id: number, request: BrowserRequest) => {
    const started = await host.start(request);
    if (!started.ok) {
      log.error({ sessionId: request.sessionId, why: started.error }, 'a session gets no browser');
      return tell({ news: 'unavailable', id, why: started.error });
    }
    if (isLost) return started.value.stop();
    const { toBrowser, fromBrowser, isolation, onRefused, ended } = started.value;
    browsers.set(id, started.value);
    tell({ news: 'toBrowser', id }, toBrowser);
    tell({ news: 'fromBrowser', id }, fromBrowser);
    tell({ news: 'started', id, isolation });
    onRefused((refused) => tell({ news: 'refused', id, refused }));
    const how = await ended;
    browsers.delete(id);
    tell({ news: 'ended', id, how });
  };
  return {
    hear: (order) => {
      if (order.order === 'start') void start(order.id, order.request);
      else void browsers.get(order.id)?.stop();
    },
    lose: () => {
      isLost = true;
      for (const browser of browsers.values()) void browser.stop();
    },
  };
}
