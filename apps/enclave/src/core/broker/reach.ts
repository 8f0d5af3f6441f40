import { isIP, type Socket } from 'node:net';
import { rootCertificates, connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { ConnectorHost } from '../../channel/connector-host.ts';
import type { Dialling } from '../../channel/egress.ts';
import { problemOf } from './problem.ts';
import { tlsProblem } from './tls-problem.ts';

/** Gives connections to services, on which nothing was said yet. */
export type Reach = {
  readonly tcp: (host: string, port: number) => Promise<Result<Socket, ExecutionProblem>>;
  /** TLS with a server that proves to be `host`. */
  readonly tls: (socket: Socket, host: string) => Promise<Result<Socket, ExecutionProblem>>;
  /** The TLS context for drivers that speak TLS themselves. */
  readonly secureContext: () => SecureContext;
};

/** Whose certificates are believed: the public ones, which come with Node, and `extra` (PEM). */
export function trust(extra: string | null): () => SecureContext {
  let context: SecureContext | null = null;
  const ca = extra === null ? {} : { ca: [...rootCertificates, extra] };
  return () => (context ??= createSecureContext({ ...ca, minVersion: 'TLSv1.2' }));
}

export type ReachOptions = {
  readonly dial: ConnectorHost['dial'];
  readonly allowPrivate: Dialling['allowPrivate'];
  readonly secureContext: () => SecureContext;
  /** Aborts when the run ends: from then on nothing is sent, and no connection stays open. */
  readonly over: AbortSignal;
};

export function reachBy({ dial, allowPrivate, secureContext, over }: ReachOptions): Reach {
  return {
    tcp: async (host, port) => {
      const dialled = await dial({ host: host.replace(/^\[(.*)\]$/, '$1'), port, allowPrivate });
      if (!dialled.ok) return fail(whyNot(dialled.error));
      const socket = dialled.value;
      socket.on('error', () => {});
      const close = () => socket.destroy();
      over.addEventListener('abort', close);
      socket.once('close', () => over.removeEventListener('abort', close));
      if (!over.aborted) return dialled;
      close();
      return fail(problemOf('cancelled'));
    },
    secureContext,
    tls: (socket, host) => secured(socket, host.replace(/^\[(.*)\]$/, '$1'), secureContext()),
  };
}

const whyNot = (error: 'refused' | 'unreachable'): ExecutionProblem =>
  error === 'refused'
    ? problemOf(
        'egress_denied',
        'This leads to a private address. CONNECTOR_ALLOW_PRIVATE=1 of the control plane allows it.',
      )
    : problemOf('target_unreachable');

function secured(
  socket: Socket,
  host: string,
  secureContext: SecureContext,
): Promise<Result<Socket, ExecutionProblem>> {
  return new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const tls = connectTls({ socket, host, secureContext, ALPNProtocols: ['http/1.1'], ...name });
    tls.once('secureConnect', () => resolve(ok(tls)));
    tls.on('error', (error) => {
      tls.destroy();
      resolve(fail(tlsProblem(error)));
    });
    tls.once('close', () => resolve(fail(tlsProblem(null))));
  });
}
