import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Answers for addresses of names (RFC 1035), as Docker's own server at 127.0.0.11 does; the caller closes it. */
export async function serveNames(known: () => Readonly<Record<string, readonly string[]>>): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query, known()), port, address);
  });
  socket.bind(53, '127.0.0.11');
  await once(socket, 'listening');
  return socket;
}

const [headerBytes, typeA] = [12, 1];

/** The question comes back with an address record for each that the name has; one that is not known does not exist. */
function answerTo(query: Buffer, known: Readonly<Record<string, readonly string[]>>): Buffer {
  const labels: string[] = [];
  let at = headerBytes;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  const question = query.subarray(headerBytes, at + 5);
  const addresses = known[labels.join('.').toLowerCase()];
  const records = query.readUInt16BE(at + 1) === typeA ? (addresses ?? []).map(recordOf) : [];
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.writeUInt16BE(addresses === undefined ? 0x8583 : 0x8580, 2);
  for (const [offset, count] of [1, records.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * offset);
  return Buffer.concat([header, question, ...records]);
}

/** Of the name in the question, for two seconds. */
const recordOf = (address: string): Buffer =>
  Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 2, 0, 4, ...address.split('.').map(Number)]);
