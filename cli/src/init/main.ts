import { main as init } from '@countersign/local/init/main';

/** `countersign init`: an answer that the gateway would refuse at its start is refused here, in the gateway's words. */
export const main = (argv: readonly string[]): Promise<void> => init(argv, gatewayOn);

/** Returns what a gateway with otherwise valid settings says about one variable; null if it accepts it. */
export async function gatewayOn(variable: string, value: string): Promise<string | null> {
  const { readGatewayConfig } = await import('@countersign/gateway/config');
  const others = { EVM_PRIVATE_KEY: `0x${'01'.repeat(32)}`, DOWNSTREAM_MCP_URLS: 'https://mcp.example/' };
  const config = readGatewayConfig({ ...others, [variable]: value }, 'stdio');
  return config.ok ? null : (config.error.find((error) => error.startsWith(`${variable} `)) ?? null);
}
