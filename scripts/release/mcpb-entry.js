// The program of the MCPB bundle: the gateway on stdio. A field that nobody filled in comes as its own placeholder.
import { main } from '@countersign/gateway/main';

for (const [name, value] of Object.entries(process.env))
  if (/^\$\{user_config\.\w+\}$/.test(value)) delete process.env[name];
await main([], process.env);
