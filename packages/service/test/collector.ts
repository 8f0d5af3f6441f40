import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { readonly stringValue?: string; readonly boolValue?: boolean; readonly intValue?: number };
type Attribute = { readonly key: string; readonly value: Value };
type SentSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number };
};
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
};

/** A span as it arrived, with the values of its attributes and the name of its service. */
export type CollectedSpan = Omit<SentSpan, 'attributes' | 'kind' | 'status'> & {
  readonly service: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
};

export type Collector = {
  readonly url: string;
  readonly spans: () => readonly CollectedSpan[];
  /** Everything that was ever sent, as it was sent. */
  readonly received: () => string;
  readonly stop: () => void;
};

/** A collector of OTLP over HTTP in JSON, at `/v1/traces`. One that `hangs` takes everything and answers nothing. */
export async function startCollector({ hangs = false, status = 200 } = {}): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString('utf8'));
      if (!hangs) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap((body) => spansIn(JSON.parse(body) as Export)),
    received: () => bodies.join('\n'),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const spansIn = ({ resourceSpans }: Export): readonly CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans).map((span) => ({ ...readSpan(span), service }));
  });

const readSpan = ({ attributes, kind, status, ...span }: SentSpan) => ({
  ...span,
  kind: (['internal', 'internal', 'server', 'client'] as const)[kind] ?? 'internal',
  attributes: valuesOf(attributes),
  failed: status.code === 2,
});

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
