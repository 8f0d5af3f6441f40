// The low-level class on purpose: what stands on the wire is what a tool answers, to the letter.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { version } from '@countersign/service/version';
import type { Tool } from './tool.ts';

// One for all sessions: each server would otherwise build a compiler of its own that it never uses.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** An MCP server for one session. */
export function mcpServer(name: string, tools: readonly Tool[]): Server {
  const info = { name, version };
  const server = new Server(info, { capabilities: { tools: {} }, jsonSchemaValidator });
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map((tool) => tool.definition) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = byName.get(params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return tool.call(params.arguments ?? {}, params._meta ?? {});
  });
  return server;
}
