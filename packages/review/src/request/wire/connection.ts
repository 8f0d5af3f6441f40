import { parseUrl } from '@countersign/protocol/url';
import { readsByName } from '../calls.ts';
import type { Shape } from './shape.ts';

const mark = '\u001e';

/** SignalR and Socket.IO where there is no WebSocket: what only holds a connection, and calls whose name reads. */
export const isConnection: Shape = ({ sent, route, body }) => {
  const address = parseUrl(sent.url);
  if (address === null) return null;
  const isHub = address.searchParams.has('negotiateVersion') || /signalr|hub/i.test(address.pathname);
  if (isHub && address.pathname.endsWith('/negotiate')) return body.shape === 'none' && !route.hasId;
  if (
    address.searchParams.get('transport') === 'polling' &&
    /\/(socket|engine)\.io\/?$/.test(address.pathname)
  )
    return packetsIn(sent.body, address.searchParams.get('EIO')).every(isPacket);
  // SockJS: what a server has to say is asked for, and nothing said.
  if (/\/\d{3}\/[\w-]{3,}\/xhr(_streaming)?$/.test(address.pathname)) return body.shape === 'none';
  if (!sent.body.includes(mark)) return null;
  return sent.body.endsWith(mark) && sent.body.slice(0, -1).split(mark).every(isHubMessage);
};

/** Engine.IO: packets behind their lengths in revision 3, between marks in revision 4. What is neither is one that no rule knows. */
function packetsIn(body: string, revision: string | null): string[] {
  if (revision === '4') return body.split(mark);
  if (revision !== '3') return [''];
  const packets: string[] = [];
  for (let at = 0; at < body.length; ) {
    const length = /^\d{1,6}(?=:)/.exec(body.slice(at, at + 7))?.[0];
    if (length === undefined) return [''];
    const begin = at + length.length + 1;
    packets.push(body.slice(begin, begin + Number(length)));
    at = begin + Number(length);
  }
  return packets;
}

/** Ping, pong, upgrade, nothing, close; of Socket.IO's messages to connect, to disconnect, and events whose name reads. */
function isPacket(packet: string): boolean {
  if (/^([23](probe)?|[156])$/.test(packet)) return true;
  if (/^4[01](\/[\w/-]*,?)?(\{.*\})?$/s.test(packet)) return true;
  const event = /^42(?:\/[\w/-]*,)?\d*(\[.*\])$/s.exec(packet)?.[1];
  const [name] = event === undefined ? [] : listOf(event);
  return typeof name === 'string' && readsByName(name);
}

/** The handshake, a ping, the end, and calls whose name reads. */
function isHubMessage(text: string): boolean {
  const [message] = listOf(`[${text}]`);
  if (typeof message !== 'object' || message === null) return false;
  const { type, target, protocol } = message as { type?: unknown; target?: unknown; protocol?: unknown };
  if (type === undefined) return typeof protocol === 'string' && Object.keys(message).length === 2;
  if (type === 6 || type === 7) return true;
  return (type === 1 || type === 4) && typeof target === 'string' && readsByName(target);
}

function listOf(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
