/**
 * `fetch` for a client that gives one signal to all its requests, as the official MCP transports do. Node's own leaves a
 * listener on that signal for each request until its memory is collected: thousands of them, each slower to add than the
 * last. Here each request has a signal of its own, however many are under way the shared one has a single listener, and
 * nothing is kept of a request once its answer is read.
 */
export async function fetchWithOwnSignal(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const { signal: shared } = init;
  if (!shared) return fetch(input, init);
  const own = new AbortController();
  const over = abortWith(shared, own);
  try {
    const response = await fetch(input, { ...init, signal: own.signal });
    if (response.body !== null) return withBody(response, until(response.body, over));
    over();
    return response;
  } catch (error) {
    over();
    own.abort(error);
    throw error;
  }
}

type UnderWay = { readonly requests: Set<AbortController>; readonly abortAll: () => void };

const underWay = new WeakMap<AbortSignal, UnderWay>();

/** Aborts `own` when `shared` is aborted, until the function that it returns is called. */
function abortWith(shared: AbortSignal, own: AbortController): () => void {
  if (shared.aborted) {
    own.abort(shared.reason);
    return () => {};
  }
  const { requests, abortAll } = underWay.get(shared) ?? listenTo(shared);
  requests.add(own);
  return () => {
    if (!requests.delete(own) || requests.size > 0) return;
    underWay.delete(shared);
    shared.removeEventListener('abort', abortAll);
  };
}

function listenTo(shared: AbortSignal): UnderWay {
  const requests = new Set<AbortController>();
  const abortAll = (): void => {
    for (const each of requests) each.abort(shared.reason);
  };
  const all = { requests, abortAll };
  underWay.set(shared, all);
  shared.addEventListener('abort', abortAll, { once: true });
  return all;
}

/** The same bytes; `over` is told when they have been read, given up, or cut off. */
function until(body: ReadableStream<Uint8Array>, over: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        over();
        controller.close();
      } catch (error) {
        over();
        controller.error(error);
      }
    },
    cancel(why) {
      over();
      return reader.cancel(why);
    },
  });
}

/**
 * The same answer with another body. `Response` cannot be made with a status above 599 or a reason phrase that is not
 * Latin-1, and servers send both: they are put over it.
 */
export function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { headers, status, statusText, ok, url, redirected } = response;
  const told = Object.entries({ status, statusText, ok, url, redirected });
  return Object.defineProperties(
    new Response(body, { headers }),
    Object.fromEntries(told.map(([name, value]) => [name, { value, enumerable: true }])),
  );
}
