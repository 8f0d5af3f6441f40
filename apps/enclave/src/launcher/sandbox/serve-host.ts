import type { Socket } from 'node:net';
import type { Logger } from '@countersign/service/logger';
import type { Dialling } from '../../channel/egress.ts';
import type { ConnectorHost, StartedConnector } from '../../channel/connector-host.ts';
import type { ConnectorNews, ConnectorOrder } from '../../channel/connectors.ts';

export type ServedConnectors = {
  readonly hear: (order: ConnectorOrder) => void;
  /** The core is gone: its connectors end, also those that are on their way. */
  readonly lose: () => void;
};

/** Does what the core asks of connectors, and hands it their streams and connections: the launcher reads not a byte of them. */
export function serveConnectors(
  host: ConnectorHost,
  tell: (news: ConnectorNews, socket?: Socket) => void,
  log: Logger,
): ServedConnectors {
  let isLost = false;
  const connectors = new Map<number, StartedConnector>();
  const start = async (id: number) => {
    const started = await host.start();
    if (!started.ok) {
      log.error({ why: started.error }, 'an execution gets no sandbox');
      return tell({ news: 'unavailable', id, why: started.error });
    }
    if (isLost) return started.value.stop();
    const { toConnector, fromConnector, facts, ended } = started.value;
    connectors.set(id, started.value);
    tell({ news: 'toConnector', id }, toConnector);
    tell({ news: 'fromConnector', id }, fromConnector);
    tell({ news: 'started', id, facts });
    const how = await ended;
    connectors.delete(id);
    tell({ news: 'ended', id, how });
  };
  const dial = async (id: number, target: Dialling) => {
    const dialled = await host.dial(target);
    if (dialled.ok) tell({ news: 'dialled', id, why: null }, dialled.value);
    else tell({ news: 'dialled', id, why: dialled.error });
  };
  return {
    hear: (order) => {
      if (order.order === 'start') void start(order.id);
      else if (order.order === 'dial') void dial(order.id, order.target);
      else void connectors.get(order.id)?.stop();
    },
    lose: () => {
      isLost = true;
      for (const connector of connectors.values()) void connector.stop();
    },
  };
}
