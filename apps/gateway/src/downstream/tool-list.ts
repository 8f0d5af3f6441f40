import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { hasCanonicalForm } from '../rules/json-form.ts';
import type { ArgumentCheck } from './arguments.ts';

/** A tool as it is shown to agents: another party's words, made harmless to look at. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
};

export type ReadTool = {
  readonly listed: ListedTool;
  readonly inputSchema: Record<string, unknown>;
  /** The definition as the service sent it. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** A check of arguments in addition to the schema. */
  readonly check?: ArgumentCheck;
  /** How the tool is called, for the connection that listed it; part of what is judged. */
  readonly operation?: unknown;
};

/** The tools of a service by name, and how many it has that cannot be used. */
export type ToolListing = {
  readonly tools: ReadonlyMap<string, ReadTool>;
  readonly leftOut: number;
  /** Hosts of those that are left out for being there. */
  readonly elsewhere?: readonly string[];
};

/** A service may list this many tools on this many pages; more are not read. */
const maxTools = 512;
const maxPages = 32;
/** Deeper or larger definitions, and those that cannot be hashed, are nobody's honest tool, and would break whoever reads them. */
const maxDepth = 64;
const maxDefinitionChars = 256 * 1024;

// Unread on purpose: one bad tool must not cost a service all the others.
const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

const jsonObject = z.record(z.string(), z.unknown());
/** Some servers write null for what is not there. */
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);
const definition = z.object({
  // Without control, bidirectional and other invisible characters: such a name is meant to be mistaken.
  name: z
    .string()
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}]{1,128}$/u)
    .refine((name) => !looksLikeAnother(name)),
  description: optional(z.string()),
  inputSchema: jsonObject,
  outputSchema: optional(jsonObject),
  annotations: optional(jsonObject),
});

/** A name in other forms of its letters, or in letters of several scripts that have the same shapes. */
const looksLikeAnother = (name: string): boolean =>
  name !== name.normalize('NFKC') ||
  (/\p{Script=Latin}/u.test(name) && /[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(name));

/** The tools of a service by name; of two with one name the first. Tools that make no sense are left out. */
export async function readTools(client: Client, timeoutMs: number): Promise<ToolListing> {
  const tools = new Map<string, ReadTool>();
  let leftOut = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages && tools.size < maxTools; pages++) {
    const answer = await readPage(client, cursor, timeoutMs);
    for (const raw of answer.tools) {
      const tool = tools.size < maxTools ? readTool(raw) : null;
      if (tool === null || tools.has(tool.listed.name)) leftOut += 1;
      else tools.set(tool.listed.name, tool);
    }
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { tools, leftOut };
}

async function readPage(
  client: Client,
  cursor: string | undefined,
  timeoutMs: number,
): Promise<z.infer<typeof page>> {
  const params = cursor === undefined ? {} : { cursor };
  try {
    return await client.request({ method: 'tools/list', params }, page, { timeout: timeoutMs });
  } catch (error) {
    const hasNone =
      error instanceof ProtocolError && error.code === (ProtocolErrorCode.MethodNotFound as number);
    if (hasNone) return { tools: [] };
    throw error;
  }
}

/** Null for a definition that makes no sense. */
export function readTool(raw: unknown): ReadTool | null {
  if (!hasCanonicalForm(raw, maxDepth) || JSON.stringify(raw).length > maxDefinitionChars) return null;
  const parsed = definition.safeParse(raw);
  if (!parsed.success) return null;
  const { name, description = '', inputSchema, outputSchema, annotations } = parsed.data;
  const listed = {
    name,
    description: plain(description),
    inputSchema: plainObject(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: plainObject(outputSchema) }),
    ...(annotations !== undefined && { annotations: plainObject(annotations) }),
  };
  return { listed, inputSchema, definition: raw as Record<string, unknown> };
}

/** Another party's text, without characters that nobody sees but a model reads, and not longer than a page. */
export const plain = (text: string): string =>
  shorten(
    text.replace(/[\p{Cc}\p{Cf}\p{DI}\u2028\u2029]/gu, (c) => (c === '\n' || c === '\t' ? c : '')),
    maxText,
  );

const maxText = 4000;
const cutMark = ' … [cut]';

/** The text, or as much of it as fits with a mark that says so. */
export const shorten = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars - cutMark.length).toWellFormed() + cutMark;

const plainObject = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [plain(key), plainValue(value)]));

function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === 'object' && value !== null ? plainObject(value as Record<string, unknown>) : value;
}
