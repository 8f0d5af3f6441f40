import type {
  CallToolResult,
  Tool as ToolDefinition,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** A tool as our MCP services serve it. `meta` is the `_meta` of the call; what `call` throws is a JSON-RPC error. */
export type Tool = {
  readonly definition: ToolDefinition;
  readonly call: (args: Record<string, unknown>, meta: Record<string, unknown>) => Promise<CallToolResult>;
};

/** A tool's definition, and its action once it has been paid for. */
export type ToolSpec<I extends z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output?: z.ZodObject;
  readonly annotations?: ToolAnnotations;
  readonly run: (input: z.output<I>) => CallToolResult;
};

/** A tool that costs nothing. */
export function freeTool<I extends z.ZodObject>(spec: ToolSpec<I>): Tool {
  return {
    definition: definitionOf(spec),
    call: async (args) => {
      const input = readArguments(spec, args);
      return input.ok ? spec.run(input.value) : input.refusal;
    },
  };
}

export function definitionOf<I extends z.ZodObject>(spec: ToolSpec<I>): ToolDefinition {
  const { name, title, description, annotations, output } = spec;
  return {
    name,
    title,
    description,
    inputSchema: jsonSchema(spec.input),
    ...(output && { outputSchema: jsonSchema(output) }),
    ...(annotations && { annotations }),
  };
}

// Older clients know JSON Schema without `$schema` only.
function jsonSchema(schema: z.ZodObject): ToolDefinition['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest as ToolDefinition['inputSchema'];
}

type Arguments<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: CallToolResult };

/** Arguments are read before any money is asked for: nobody pays for a call that cannot be answered. */
export function readArguments<I extends z.ZodObject>(
  { name, input }: ToolSpec<I>,
  args: Record<string, unknown>,
): Arguments<z.output<I>> {
  const parsed = input.safeParse(args);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const text = `Invalid arguments for tool ${name}: ${faults.join('; ')}`;
  return { ok: false, refusal: { content: [{ type: 'text', text }], isError: true } };
}

/** A result with structured data, repeated as text for clients that read only that. */
export const dataResult = (data: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(data) }],
  structuredContent: data,
});
