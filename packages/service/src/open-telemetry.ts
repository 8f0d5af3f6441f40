import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import {
  type Attributes,
  newTraceId,
  type ParentSpan,
  parseTraceparent,
  rootSpanId,
  type Span,
  type SpanKind,
  type Tracer,
  writeTraceparent,
} from './trace.ts';
import { version } from './version.ts';

/** Longer than a collector that is there takes for the rest; a stop waits no longer for one that is not. */
const flushWithinMs = 1_000;
/** Names that an agent or a service made up may be of any length. */
const maxValue = 256;

/**
 * Exports every span to the collector, by OTLP over HTTP, in batches behind everybody's back; what cannot be
 * delivered is dropped. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take the place of our own names.
 */
export function exportingTracer(service: string, log: Logger): Tracer {
  const ids = new Ids();
  const own = { 'service.name': `countersign-${service}`, 'service.version': version };
  const given = detectResources({ detectors: [envDetector] });
  const provider = new TracerProvider({
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: maxValue },
    resource: defaultResource().merge(resourceFromAttributes(own)).merge(given),
    spanProcessors: [new BatchSpanProcessor({ exporter: telling(new OTLPTraceExporter(), log) })],
  });
  const tracer = provider.getTracer('countersign', version);
  const begin = (traceId: string, name: string, kind: SpanKind, about: Attributes, links: Link[]): Span =>
    ids.under(traceId, () => {
      const options = { kind: kinds[kind], attributes: { ...about }, links };
      return new ExportedSpan(tracer, tracer.startSpan(name, options, ROOT_CONTEXT));
    });
  return {
    begin: (traceId, name, about, cause) => begin(traceId, name, 'server', about, linksTo(cause)),
    join(traceparent) {
      const parent = parseTraceparent(traceparent);
      if (parent !== null) return new ExportedSpan(tracer, trace.wrapSpanContext(contextOf(parent)));
      const traceId = newTraceId();
      return {
        traceId,
        traceparent: writeTraceparent({ traceId, spanId: rootSpanId(traceId), sampled: true }),
        child: (name, kind, about = {}) => begin(traceId, name, kind, about, []),
        end() {},
      };
    },
    async stop() {
      const late = new Promise((resolve) => setTimeout(resolve, flushWithinMs).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

class ExportedSpan implements Span {
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;
  readonly traceId: string;
  readonly traceparent: string;

  constructor(tracer: OtelTracer, span: OtelSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.#tracer = tracer;
    this.#span = span;
    this.traceId = traceId;
    this.traceparent = writeTraceparent({
      traceId,
      spanId,
      sampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
    });
  }

  child(name: string, kind: SpanKind, about: Attributes = {}): Span {
    const within: Context = trace.setSpan(ROOT_CONTEXT, this.#span);
    const options = { kind: kinds[kind], attributes: { ...about } };
    return new ExportedSpan(this.#tracer, this.#tracer.startSpan(name, options, within));
  }

  end({ attributes = {}, error }: Parameters<Span['end']>[0] = {}): void {
    this.#span.setAttributes({ ...attributes });
    if (error !== undefined)
      this.#span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

const kinds = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  internal: OtelKind.INTERNAL,
} satisfies Record<SpanKind, OtelKind>;

const contextOf = ({ traceId, spanId, sampled }: ParentSpan) => ({
  traceId,
  spanId,
  traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

function linksTo(traceparent: unknown): Link[] {
  const cause = parseTraceparent(traceparent);
  return cause === null ? [] : [{ context: contextOf(cause) }];
}

/** Random ids, but for a trace that is begun under a given one. */
class Ids implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #given: string | null = null;

  /** The SDK asks for ids while it starts a span, and at no other time. */
  under<T>(traceId: string, start: () => T): T {
    this.#given = traceId;
    const span = start();
    this.#given = null;
    return span;
  }

  generateTraceId = (): string => this.#given ?? this.#random.generateTraceId();

  generateSpanId = (): string =>
    this.#given === null ? this.#random.generateSpanId() : rootSpanId(this.#given);
}

/** Says once that the collector takes nothing, and again only after it has. Never what the collector answered. */
function telling(exporter: SpanExporter, log: Logger): SpanExporter {
  let told = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error !== undefined && !told)
          log.warn({ why: 'code' in error ? error.code : error.name }, 'traces cannot be delivered');
        told = error !== undefined;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
