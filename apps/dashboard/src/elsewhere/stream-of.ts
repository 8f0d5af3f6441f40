import type { Readable } from 'node:stream';

/**
 * The bytes of an answer as a web stream, which may be cancelled at any time. `Readable.toWeb` may not on Node 20: bytes that
 * come after the cancellation are an exception there that nobody can catch, and it ends the process.
 */
export function streamOf(body: Readable): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  // What is destroyed before it was read to its end says so, to nobody in particular.
  body.on('error', () => {});
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void body.destroy(),
  });
}
