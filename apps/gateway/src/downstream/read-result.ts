import { paymentResponseMetaKey } from '@countersign/protocol/gateway/x402';
import canonicalize from 'canonicalize';
import type { CallOutcome } from '../rules/call-outcome.ts';
import { type Dialect, isDotted, isObject, requirementIn, settlementIn } from './dialect.ts';

/** A `tools/call` result, unread. */
export type RawToolResult = {
  readonly content?: readonly unknown[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Takes what a service answered for a result, or gives null where it is none. Some servers write null for what is not there.
 * Done by hand: a schema that says the same costs a free call a twentieth of its CPU.
 */
export function takeResult(answer: unknown): RawToolResult | null {
  if (!isObject(answer)) return null;
  const { content, structuredContent, isError, _meta } = answer;
  if (content != null && !Array.isArray(content)) return null;
  if (isError != null && typeof isError !== 'boolean') return null;
  if (_meta != null && !isObject(_meta)) return null;
  return {
    content: content ?? undefined,
    structuredContent: structuredContent ?? undefined,
    isError: isError ?? undefined,
    _meta: _meta ?? undefined,
  };
}

/** A price of more text than this is not read: it would be hashed, signed for and kept, at our cost. */
const maxRequirementChars = 128 * 1024;

export type ReadResult = {
  readonly outcome: CallOutcome;
  /** The dialect in which it asks for payment; null if it does not. */
  readonly asksIn: Dialect | null;
  /** What asked for payment, for a connection to the same service: the payment goes there. */
  readonly asked?: unknown;
};

type Context = {
  /** The dialect in which the service was or would be paid; it determines the key of the settlement. */
  readonly dialect: Dialect;
  readonly annotations: Readonly<Record<string, unknown>> | undefined;
};

/** Tells a result from a demand for money (x402 over MCP: `isError`, and the requirement once or more). */
export function readToolResult(result: RawToolResult, { dialect, annotations }: Context): ReadResult {
  const settlement = settlementIn(result._meta, dialect) ?? nestedSettlement(result.structuredContent);
  const { content = [], structuredContent: structured } = result;
  const isError = result.isError === true;
  const demand: Found = isError ? findRequirement(result) : { kind: 'none' };
  switch (demand.kind) {
    case 'none':
      return {
        outcome: { kind: 'result', isError, content, structured, meta: metaOf(result), settlement },
        asksIn: null,
      };
    case 'malformed':
      return { outcome: { kind: 'requirement-malformed', content }, asksIn: null };
    case 'found': {
      const { value: requirement } = demand;
      const asksIn = isDotted(requirement, annotations) ? 'dotted-keys' : demand.dialect;
      return { outcome: { kind: 'payment-required', requirement, content, settlement }, asksIn };
    }
  }
}

/** Some servers put a failed settlement inside the repeated demand. */
const nestedSettlement = (structured: unknown): unknown =>
  isObject(structured) ? structured[paymentResponseMetaKey] : undefined;

type Found =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'found'; readonly value: unknown; readonly dialect: Dialect };

/** All copies that are there must say the same: a price that depends on where one looks is refused. */
function findRequirement({ structuredContent, _meta, content }: RawToolResult): Found {
  const structured = requirementIn(structuredContent);
  const inMeta = requirementIn(_meta);
  const text = firstText(content);
  const tooLong = text !== null && text.length > maxRequirementChars;
  const written = text === null || tooLong ? undefined : requirementIn(parseObject(text));
  const [first, ...others] = [structured, inMeta, written].filter((copy) => copy !== undefined);
  if (first === undefined) return { kind: 'none' };
  if (tooLong || isTooLong(first) || !others.every((copy) => sameJson(first, copy)))
    return { kind: 'malformed' };
  const dialect = structured === undefined && inMeta !== undefined ? 'meta-error' : 'specified';
  return { kind: 'found', value: first, dialect };
}

/**
 * Returns whether a payment requirement is too long to judge. Its depth must have been checked before:
 * serializing it recurses.
 */
export const isTooLong = (requirement: unknown): boolean =>
  JSON.stringify(requirement).length > maxRequirementChars;

function parseObject(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstText(content: readonly unknown[] | undefined): string | null {
  const first = content?.[0];
  return isObject(first) && first['type'] === 'text' && typeof first['text'] === 'string'
    ? first['text']
    : null;
}

/** Returns a result's `_meta` without the settlement, which is reported elsewhere. */
function metaOf({ _meta = {} }: RawToolResult): Readonly<Record<string, unknown>> | undefined {
  const { [paymentResponseMetaKey]: _, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? undefined : meta;
}

/** Deep structures overflow the stack of any recursive comparison; such a thing is the same as nothing. */
export function sameJson(a: unknown, b: unknown): boolean {
  try {
    // Mostly both copies come from one object: then nothing has to be put in order.
    return JSON.stringify(a) === JSON.stringify(b) || canonicalize(a) === canonicalize(b);
  } catch {
    return false;
  }
}
