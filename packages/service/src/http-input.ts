import { type Fault, maxBodyBytes } from '@countersign/protocol/dialect';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { z } from 'zod';
import { exceeded } from './json-shape.ts';

/** What is wrong with a request, before its dialect assigns a code. */
export type BadInput = { readonly fault: Fault; readonly msg: string };

/** JSON beyond this is refused before it is parsed: PostgreSQL and every later reader recurse. */
const limits = { depth: 64, members: 50_000 } as const;

/** Reads a request's body to the letter. */
export async function readBytes(request: Request): Promise<Result<Uint8Array, BadInput>> {
  const bytes = await readAtMost(request, maxBodyBytes);
  return bytes === null
    ? fail({ fault: 'too-large', msg: `the body is larger than ${maxBodyBytes} bytes` })
    : ok(bytes);
}

/** Reads a body as JSON. No body at all counts as `{}`, so that a missing field is told by its name. */
export function readJson(bytes: Uint8Array, headers: Headers): Result<unknown, BadInput> {
  if (bytes.length === 0) return ok({});
  if (!isJson(headers)) {
    return fail({
      fault: 'media-type',
      msg: 'content-type must be application/json, not compressed',
    });
  }
  const beyond = exceeded(bytes, limits);
  if (beyond !== null) return fail({ fault: 'invalid', msg: tooMuch[beyond] });
  try {
    return ok(JSON.parse(utf8.decode(bytes)) as unknown);
  } catch {
    return fail({ fault: 'unreadable', msg: 'the body is not valid JSON in UTF-8' });
  }
}

const tooMuch = {
  depth: `the body is nested deeper than ${limits.depth} levels`,
  members: `the body has more than ${limits.members} members and items`,
} as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function isJson(headers: Headers): boolean {
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' && (headers.get('content-encoding') ?? 'identity') === 'identity';
}

/** Null when there is more than `limit`; stops reading then. */
async function readAtMost(request: Request, limit: number): Promise<Uint8Array | null> {
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    // node:http reads exactly as many bytes as were announced.
    return Number(announced) > limit ? null : new Uint8Array(await request.arrayBuffer());
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Checks a value against a schema. Unknown fields are ignored, unless the schema is strict. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>, BadInput> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) return fail(explain(parsed.error.issues));
  const where = unstorable(value);
  return where === null ? ok(parsed.data) : fail({ fault: 'invalid', msg: where });
}

type Issue = z.core.$ZodIssue;

/** Explains issues. Missing members and wrong types come first, since values matter only after them. */
function explain(issues: readonly Issue[]): BadInput {
  const wrongType = issues.filter(isWrongType);
  const told = wrongType.length > 0 ? wrongType : issues;
  const words = told
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join('.') || 'body'}: ${reasonOf(issue)}`);
  return { fault: wrongType.length > 0 ? 'unreadable' : 'invalid', msg: words.join('; ') };
}

const reasonOf = (issue: Issue): string =>
  issue.input === undefined && isWrongType(issue) ? 'is required' : issue.message;

function isWrongType(issue: Issue): boolean {
  if (issue.code === 'invalid_type') return true;
  if (issue.code === 'invalid_value') return typeof issue.input !== typeof issue.values[0];
  if (issue.code === 'invalid_union') return issue.errors.every((branch) => branch.some(isWrongType));
  return false;
}

/**
 * Texts that PostgreSQL cannot keep (NUL, half a surrogate pair): what is wrong with them, or null.
 */
function unstorable(value: unknown): string | null {
  const open: { value: unknown; path: string }[] = [{ value, path: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !isStorableText(value))
      return `${path}: must be Unicode text without NUL`;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (!isStorableText(key)) return `${path}: names must be Unicode text without NUL`;
      open.push({ value: child, path: path === '' ? key : `${path}.${key}` });
    }
  }
  return null;
}

/** False for a text with NUL or half a surrogate pair. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
