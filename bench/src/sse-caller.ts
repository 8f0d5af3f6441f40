import { Pool } from 'undici';
import { type Caller, initialize, type Target, toolCall } from './caller.ts';

/** The same lean client over the older pair: answers come on one event stream, requests are posted beside it. */
export async function connectSse(url: string, target: Target): Promise<Caller> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 65, bodyTimeout: 0 });
  const waiting = new Map<number, (text: string) => void>();
  const stream = await pool.request({
    method: 'GET',
    path: pathname,
    headers: { accept: 'text/event-stream' },
  });
  const endpoint = new Promise<string>((resolve) => {
    stream.body.setEncoding('utf8').on('data', readEvents(resolve, waiting));
  });
  // The stream ends by our own hand.
  stream.body.on('error', () => {});

  const path = await endpoint;
  const headers = { 'content-type': 'application/json' };
  const post = async (message: object): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await pool.request({ method: 'POST', path, headers, body });
    await response.body.dump();
    if (response.statusCode >= 300) throw new Error(`HTTP ${response.statusCode}`);
  };
  let lastId = 0;
  const request = async (method: string, params: object): Promise<string> => {
    const id = ++lastId;
    const answered = new Promise<string>((resolve) => waiting.set(id, resolve));
    await post({ id, method, params });
    return answered;
  };
  await request('initialize', initialize);
  await post({ method: 'notifications/initialized' });
  return {
    call: async (args, marker) => {
      const text = await request('tools/call', toolCall(target, args));
      if (!text.includes(marker)) throw new Error(`not the answer: ${text.slice(0, 200)}`);
    },
    close: () => pool.destroy(),
  };
}

/** Takes the stream apart: the address to post to, then answers by their id. */
function readEvents(
  onEndpoint: (path: string) => void,
  waiting: Map<number, (text: string) => void>,
): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1] ?? '';
      if (event.startsWith('event: endpoint')) {
        onEndpoint(data);
        continue;
      }
      const id = Number(/"id":(\d+)/.exec(data)?.[1]);
      waiting.get(id)?.(data);
      waiting.delete(id);
    }
  };
}
