import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { AddressRule } from './addresses.ts';
import type { NotDialled } from '../channel/egress.ts';

/** All addresses of a name. */
export type Resolve = (
  name: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export type Dial = (host: string, port: number) => Promise<Result<Socket, NotDialled>>;

const patienceMs = 15_000;

/**
 * Connects to a host, of which the name is resolved once: those of its addresses that may be dialled are dialled, so
 * that an answer that changes in between changes nothing.
 */
export function dialer(
  rule: AddressRule,
  resolve: Resolve,
  prepare: (socket: Socket) => void = () => {},
): Dial {
  return async (host, port) => {
    const addresses = await addressesOf(host, resolve);
    const permitted = addresses.filter(({ address }) => rule.permits(address));
    if (permitted.length === 0) return fail(addresses.length === 0 ? 'unreachable' : 'refused');
    const lookup = ((_name, _options, done) => done(null, [...permitted])) as LookupFunction;
    const socket = connect({ host: 'resolved', port, lookup, autoSelectFamily: true });
    prepare(socket);
    return connected(socket);
  };
}

async function addressesOf(host: string, resolve: Resolve) {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  if (family !== 0) return [{ address: literal, family }];
  return resolve(host).catch(() => []);
}

function connected(socket: Socket): Promise<Result<Socket, 'unreachable'>> {
  return new Promise((resolve) => {
    const giveUp = () => {
      socket.destroy();
      resolve(fail('unreachable'));
    };
    socket.setTimeout(patienceMs, giveUp);
    socket.once('error', giveUp);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeAllListeners('timeout').off('error', giveUp);
      resolve(ok(socket));
    });
  });
}
