import { randomFillSync } from 'node:crypto';

/** Values that a span may carry. Never a secret, never what an agent or a service said in its own words. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** `server`: asked for by another process; `client`: waits for another one; `internal`: neither. */
export type SpanKind = 'server' | 'client' | 'internal';

/** The end of a span; `error` is one of few values (`error.type`), absent on success. */
export type SpanEnd = { readonly attributes?: Attributes; readonly error?: string | undefined };

/** A piece of work within a trace (W3C Trace Context). No method throws. */
export type Span = {
  readonly traceId: string;
  /** The header, or `_meta` field, for whatever this work asks of other processes. */
  readonly traceparent: string;
  /** Begins a piece of this work. */
  readonly child: (name: string, kind: SpanKind, attributes?: Attributes) => Span;
  /** To be called once; a span without an end is never told to anybody. */
  readonly end: (how?: SpanEnd) => void;
};

/** Collects the traces of one process. */
export type Tracer = {
  /**
   * Begins a trace under this id; its span id is cut from it, so that work which is done later, even after a restart,
   * finds its parent by the trace id alone (`rootOf`). `cause` is a `traceparent` of somebody else's trace.
   */
  readonly begin: (traceId: string, name: string, attributes: Attributes, cause?: unknown) => Span;
  /**
   * Continues the span of another process, given its `traceparent`; starts a new trace if that is invalid.
   */
  readonly join: (traceparent: unknown) => Span;
  /** Sends what is left, for a second at most. Never rejects. */
  readonly stop: () => Promise<void>;
};

/** Carries trace ids on, and tells nobody of any span. */
export const silentTracer: Tracer = {
  begin: (traceId) => silentSpan(traceId),
  join: (traceparent) => {
    const parent = parseTraceparent(traceparent);
    return parent === null ? silentSpan(newTraceId()) : new SilentSpan(parent.traceId, String(traceparent));
  },
  stop: async () => {},
};

/** A span of this trace of which nobody is told. */
export const silentSpan = (traceId: string): Span => new SilentSpan(traceId, rootOf(traceId));

class SilentSpan implements Span {
  readonly traceId: string;
  readonly traceparent: string;

  constructor(traceId: string, traceparent: string) {
    this.traceId = traceId;
    this.traceparent = traceparent;
  }

  child(): Span {
    return this;
  }

  end(): void {}
}

/** Does `work` in `span` and ends it; what `work` throws marks the span as failed, and goes on. */
export const inSpan = <T>(
  span: Span,
  work: (span: Span) => Promise<T>,
  describe?: (result: T) => SpanEnd,
): Promise<T> =>
  // Nobody is told of it: every call has several.
  span instanceof SilentSpan ? work(span) : endedWith(span, work, describe);

async function endedWith<T>(
  span: Span,
  work: (span: Span) => Promise<T>,
  describe?: (result: T) => SpanEnd,
): Promise<T> {
  try {
    const result = await work(span);
    span.end(describe?.(result));
    return result;
  } catch (error) {
    span.end({ error: error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}

/** The `traceparent` of the span with which this trace was begun by `Tracer.begin`. */
export const rootOf = (traceId: string): string =>
  writeTraceparent({ traceId, spanId: rootSpanId(traceId), sampled: true });

export const rootSpanId = (traceId: string): string => traceId.slice(0, 16);

const random = Buffer.alloc(4096);
let drawn = random.length;

/** 128 random bits in hex. Those of many ids are drawn at a time, and none is given twice. */
export function newTraceId(): string {
  if (drawn === random.length) {
    randomFillSync(random);
    drawn = 0;
  }
  drawn += 16;
  return random.toString('hex', drawn - 16, drawn);
}

/** The parsed `traceparent`: hex ids of 32 and 16 digits, and whether the sender samples this trace. */
export type ParentSpan = { readonly traceId: string; readonly spanId: string; readonly sampled: boolean };

export const writeTraceparent = ({ traceId, spanId, sampled }: ParentSpan): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** Reads a `traceparent` (W3C Trace Context, 3.2); null when it is none, or an invalid one. */
export function parseTraceparent(value: unknown): ParentSpan | null {
  if (typeof value !== 'string') return null;
  const [, version, traceId = '', spanId = '', flags = '', rest] = traceparentForm.exec(value) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
