import { type Programs, runConnectorProcess } from './process.ts';

const programs: Programs = {
  http: async () => (await import('./http/program.ts')).callHttp,
  'mcp-tool': async () => (await import('./mcp-tool/program.ts')).callTool,
  postgres: async () => (await import('./postgres/program.ts')).runStatement,
};

/** `countersign enclave connector`. */
export const runConnector = (argument: string | undefined): Promise<void> =>
  runConnectorProcess(argument, programs);
