import type { Socket } from 'node:net';
import type { SandboxFacts } from '@countersign/protocol/control/execution';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { NotDialled } from '../../channel/egress.ts';
import type { ConnectorEnd, ConnectorHost, StartedConnector } from '../../channel/connector-host.ts';
import type { ConnectorNews, ConnectorOrder } from '../../channel/connectors.ts';

export type RemoteConnectors = ConnectorHost & {
  /** News from the launcher, with the socket that came along. */
  readonly hear: (news: ConnectorNews, socket?: Socket) => void;
  /** The launcher is gone with all that it had made: nobody will tell how any of it ended. */
  readonly lose: () => void;
};

/** The core's hand on connectors and connections that the launcher makes. */
export function remoteConnectors(order: (order: ConnectorOrder) => void): RemoteConnectors {
  const connectors = new Map<number, Remote>();
  const dialling = new Map<number, (result: Result<Socket, NotDialled>) => void>();
  let last = 0;
  let isLost = false;
  return {
    start: () => {
      if (isLost) return Promise.resolve(fail(launcherGone));
      last += 1;
      const connector = new Remote(last, order);
      connectors.set(last, connector);
      return connector.start();
    },
    dial: (target) =>
      new Promise((resolve) => {
        if (isLost) return resolve(fail('unreachable'));
        last += 1;
        dialling.set(last, resolve);
        order({ order: 'dial', id: last, target });
      }),
    hear: (news, socket) => {
      // That the other end is gone is told by its end.
      socket?.on('error', () => {});
      if (news.news === 'dialled') {
        dialling.get(news.id)?.(socket === undefined ? fail(news.why ?? 'unreachable') : ok(socket));
        dialling.delete(news.id);
        return;
      }
      connectors.get(news.id)?.hear(news, socket);
      if (news.news === 'ended' || news.news === 'unavailable') connectors.delete(news.id);
    },
    lose: () => {
      isLost = true;
      for (const connector of connectors.values()) connector.lose();
      for (const resolve of dialling.values()) resolve(fail('unreachable'));
    },
  };
}

const launcherGone = 'the launcher is gone';

type OneNews = Exclude<ConnectorNews, { readonly news: 'dialled' }>;

class Remote {
  readonly #id: number;
  readonly #order: (order: ConnectorOrder) => void;
  #toConnector: Socket | undefined;
  #fromConnector: Socket | undefined;
  #started: (result: Result<StartedConnector, string>) => void = () => {};
  #ended: (how: ConnectorEnd) => void = () => {};

  constructor(id: number, order: (order: ConnectorOrder) => void) {
    this.#id = id;
    this.#order = order;
  }

  start(): Promise<Result<StartedConnector, string>> {
    return new Promise((resolve) => {
      this.#started = resolve;
      this.#order({ order: 'start', id: this.#id });
    });
  }

  hear(news: OneNews, socket?: Socket): void {
    switch (news.news) {
      case 'toConnector':
        this.#toConnector = socket;
        return;
      case 'fromConnector':
        this.#fromConnector = socket;
        return;
      case 'started':
        return this.#started(this.#finish(news.facts));
      case 'unavailable':
        return this.#started(fail(news.why));
      case 'ended':
        return this.#ended(news.how);
    }
  }

  lose(): void {
    this.#started(fail(launcherGone));
    this.#ended('crashed');
  }

  #finish(facts: SandboxFacts): Result<StartedConnector, string> {
    const [toConnector, fromConnector] = [this.#toConnector, this.#fromConnector];
    if (toConnector === undefined || fromConnector === undefined) return fail('the connector ended at once');
    const ended = new Promise<ConnectorEnd>((resolve) => {
      this.#ended = resolve;
    });
    return ok({
      toConnector,
      fromConnector,
      facts,
      ended,
      stop: async () => {
        this.#order({ order: 'stop', id: this.#id });
        await ended;
      },
    });
  }
}
