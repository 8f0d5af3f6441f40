import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** The result of an attempt. `outcome` is our own word: it never repeats the receiver's text. */
export type Outcome = {
  readonly kind: 'delivered' | 'failed' | 'gone';
  /** HTTP status, or why there was no answer. */
  readonly outcome: string;
  /** Seconds. */
  readonly retryAfter: number | null;
};

export type Post = (url: string, body: string, headers: Readonly<Record<string, string>>) => Promise<Outcome>;

const patienceMs = 15_000;

/**
 * Posts to a receiver and never rejects. Redirects are not followed, and of the answer only status and `Retry-After` are
 * looked at. Unless `allowPrivate`, each address is checked as it is connected to, so that no name can lead inside.
 */
export function createPost(allowPrivate: boolean): Post {
  const filter = { allowPrivateIPAddress: allowPrivate, allowMetaIPAddress: allowPrivate };
  const [http, https] = [new RequestFilteringHttpAgent(filter), new RequestFilteringHttpsAgent(filter)];
  return (url, body, headers) =>
    new Promise((resolve) => {
      const isPlain = url.startsWith('http:');
      if (isPlain && !allowPrivate) return resolve(failed('https alone is allowed'));
      const send = isPlain ? requestHttp : requestHttps;
      const sent = send(url, {
        method: 'POST',
        agent: isPlain ? http : https,
        signal: AbortSignal.timeout(patienceMs),
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'countersign-webhooks',
        },
      });
      sent.on('response', (response) => {
        // Nobody reads it, and it may never end.
        response.destroy();
        resolve(outcomeOf(response.statusCode ?? 0, response.headers['retry-after']));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(failed(whyNot(error))));
      sent.end(body);
    });
}

function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  const kind = status >= 200 && status < 300 ? 'delivered' : status === 410 ? 'gone' : 'failed';
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  return { kind, outcome: String(status), retryAfter: seconds };
}

const failed = (outcome: string): Outcome => ({ kind: 'failed', outcome, retryAfter: null });

function whyNot({ name, code, message }: NodeJS.ErrnoException): string {
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  if (/is not allowed/.test(message)) return 'private address';
  return code !== undefined && /^[A-Z_]{2,40}$/.test(code) ? code : 'unreachable';
}
