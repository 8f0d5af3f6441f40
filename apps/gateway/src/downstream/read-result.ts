import { paymentResponseMetaKey } from '@countersign/protocol/gateway/x402';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import type { CallOutcome } from '../ports.ts';

/** A `tools/call` result, unread. */
export const rawToolResult = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});
export type RawToolResult = z.infer<typeof rawToolResult>;

/** A price of more text than this is not read: it is somebody's attempt to keep us busy. */
const maxRequirementChars = 128 * 1024;

/** Tells a result from a demand for money (x402 over MCP: `isError`, and the requirement twice). */
export function readToolResult(result: RawToolResult): CallOutcome {
  const settlement = result._meta?.[paymentResponseMetaKey] ?? nestedSettlement(result.structuredContent);
  const content = contentOf(result);
  if (result.isError !== true) return { kind: 'result', isError: false, content, settlement };
  const demand = findRequirement(result);
  switch (demand.kind) {
    case 'none':
      return { kind: 'result', isError: true, content, settlement };
    case 'malformed':
      return { kind: 'requirement-malformed', content };
    case 'found':
      return { kind: 'payment-required', requirement: demand.value, content, settlement };
  }
}

/** Some servers put a failed settlement inside the repeated demand. */
const nestedSettlement = (structured: unknown): unknown =>
  isObject(structured) ? structured[paymentResponseMetaKey] : undefined;

type Found = { kind: 'none' } | { kind: 'malformed' } | { kind: 'found'; value: unknown };

/** Both copies, when both are there, must say the same: a price that depends on where one looks is refused. */
function findRequirement(result: RawToolResult): Found {
  const structured = asksForMoney(result.structuredContent) ? result.structuredContent : undefined;
  const text = firstText(result.content);
  if (text !== null && text.length > maxRequirementChars)
    return structured === undefined ? { kind: 'none' } : { kind: 'malformed' };
  const written = text === null ? undefined : requirementIn(text);
  if (structured === undefined)
    return written === undefined ? { kind: 'none' } : { kind: 'found', value: written };
  if (written === undefined || sameJson(structured, written)) return { kind: 'found', value: structured };
  return { kind: 'malformed' };
}

const asksForMoney = (value: unknown): boolean =>
  isObject(value) && ('x402Version' in value || 'accepts' in value);

/** The older form wraps the requirement: `{"x402/error": {code: 402, data}}`. */
function requirementIn(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (asksForMoney(parsed)) return parsed;
  const wrapped = isObject(parsed) ? parsed['x402/error'] : undefined;
  const data = isObject(wrapped) ? wrapped['data'] : undefined;
  return asksForMoney(data) ? data : undefined;
}

function firstText(content: readonly unknown[] | undefined): string | null {
  const first = content?.[0];
  return isObject(first) && first['type'] === 'text' && typeof first['text'] === 'string'
    ? first['text']
    : null;
}

/** The tool's content; structured content that no text block repeats is added as one, so that nothing is lost. */
function contentOf({ content = [], structuredContent }: RawToolResult): readonly unknown[] {
  if (structuredContent === undefined) return content;
  const repeated = content.some(
    (block) =>
      isObject(block) && typeof block['text'] === 'string' && repeats(block['text'], structuredContent),
  );
  return repeated ? content : [...content, { type: 'text', text: JSON.stringify(structuredContent) }];
}

function repeats(text: string, structured: unknown): boolean {
  if (text === JSON.stringify(structured)) return true;
  try {
    return sameJson(JSON.parse(text), structured);
  } catch {
    return false;
  }
}

/** Deep structures overflow the stack of any recursive comparison; such a thing is the same as nothing. */
function sameJson(a: unknown, b: unknown): boolean {
  try {
    return canonicalize(a) === canonicalize(b);
  } catch {
    return false;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
