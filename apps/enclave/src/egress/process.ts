import { lookup } from 'node:dns/promises';
import type { Server, Socket } from 'node:net';
import { type AddressRule, addressRule, anyAddress } from './addresses.ts';
import { type Dial, dialer } from './dial.ts';
import { JailProxy } from './jail-proxy.ts';
import type { Dialling, FromEgress, ToEgress } from '../channel/egress.ts';

const [everyMs, keepAliveMs] = [1000, 15_000];

/**
 * The egress proxy of all jails, in a process of its own: each jail's port is a server that was opened inside the jail
 * and is listened on here. It ends with the launcher.
 */
export function runEgress(): void {
  process.on('disconnect', () => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.once('message', (message: ToEgress) => {
    if (!('begin' in message)) return;
    const resolve = (name: string) => lookup(name, { all: true, verbatim: true });
    const named = addressRule(message.begin.allowPrivate);
    const dial = dialer(named, resolve);
    serveJails((jail) => new JailProxy(dial, (refused) => say({ refused, jail })));
    // Whoever gets it in the end is the one to read.
    const pause = (socket: Socket) => void socket.pause();
    const dialled = (rule: AddressRule) => dialer(rule, resolve, pause);
    serveBroker({ toPublic: dialled(addressRule([])), toNamed: dialled(named), toAny: dialled(anyAddress) });
    say({ ready: true });
  });
  say({ alive: true });
}

function serveJails(make: (jail: number) => JailProxy): void {
  const jails = new Map<number, { readonly proxy: JailProxy; readonly server: Server }>();
  process.on('message', (message: ToEgress, server?: Server) => {
    if ('listen' in message && server !== undefined) {
      const proxy = make(message.listen);
      jails.set(message.listen, { proxy, server });
      server.on('connection', (socket) => proxy.take(socket));
      say({ listens: message.listen });
    } else if ('allow' in message) {
      jails.get(message.allow)?.proxy.allow(message.urls);
      say({ allowed: message.allow });
    } else if ('forget' in message) {
      jails.get(message.forget)?.server.close();
      jails.get(message.forget)?.proxy.close();
      jails.delete(message.forget);
    }
  });
  setInterval(() => {
    for (const { proxy } of jails.values()) proxy.holdToLimits();
  }, everyMs);
}

type Dials = { readonly toPublic: Dial; readonly toNamed: Dial; readonly toAny: Dial };

/** Connects for the core's brokers, which speak over the connection themselves: not a byte of it is read here. */
function serveBroker({ toPublic, toNamed, toAny }: Dials): void {
  const dialFor = (allowPrivate: Dialling['allowPrivate']): Dial =>
    allowPrivate === 'named' ? toNamed : allowPrivate ? toAny : toPublic;
  const dial = async (id: number, { host, port, allowPrivate }: Dialling) => {
    const dialled = await dialFor(allowPrivate)(host, port);
    if (!dialled.ok) return say({ dialled: id, why: dialled.error });
    dialled.value.setKeepAlive(true, keepAliveMs);
    say({ dialled: id, why: null }, dialled.value);
  };
  process.on('message', (message: ToEgress) => {
    if ('dial' in message) void dial(message.dial, message);
  });
}

const say = (message: FromEgress, socket?: Socket): void => void process.send?.(message, socket);
