import { createParser } from 'eventsource-parser';

export class AnswerTooLarge extends Error {
  constructor() {
    super('the answer is too large');
    this.name = 'AnswerTooLarge';
  }
}

/** The `data` of each server-sent event, as it arrives. Throws once the stream has brought more than `maxBytes`. */
export async function* readEvents(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string> {
  const ready: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => ready.push(data) });
  const decoder = new TextDecoder();
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new AnswerTooLarge();
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* ready.splice(0);
  }
}
