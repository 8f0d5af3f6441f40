import { join } from 'node:path';
import { linkLines } from './door/command.ts';
import { paint } from './progress.ts';
import type { System } from './system.ts';

/**
 * What a newcomer needs once everything is up: where it is, and how an agent gets to it. The vault's password is told
 * once, at the first start.
 */
export function welcome({ card, shopUrl, door }: System, dir: string, isFirstStart: boolean): string {
  const services = card.services.map(({ serviceId, url }): [string, string | null] => [
    `Service ${serviceId}`,
    url,
  ]);
  const places: readonly (readonly [string, string | null])[] = [
    ['Gateway (MCP)', card.gatewayUrl],
    ['Dashboard (API)', card.dashboardUrl],
    ['Vault', card.vaultUrl],
    ['Control plane', card.controlPlaneUrl],
    ['Facilitator', card.facilitatorUrl],
    ['Chain (JSON-RPC)', card.rpcUrl],
    ...services,
    ['Demo shop', shopUrl],
  ];
  const header = `Authorization: Bearer ${card.gatewayToken}`;
  const entry = { url: card.gatewayUrl, headers: { Authorization: `Bearer ${card.gatewayToken}` } };
  return [
    ...places.map(([name, url]) => `  ${name.padEnd(18)} ${url ?? 'not started'}`),
    '',
    paint('bold', 'Let your own agent in'),
    `  Claude Code:  claude mcp add --transport http countersign ${card.gatewayUrl} --header "${header}"`,
    `  Other MCP clients:  ${JSON.stringify({ mcpServers: { countersign: entry } })}`,
    '',
    ...(isFirstStart ? vaultLogin(card) : []),
    ...('none' in door ? [`No link opens the console: ${door.none}.`] : linkLines(door.newLinks())),
    '',
    `Keys, tokens and addresses stand in ${join(dir, 'local.json')}. Ctrl-C stops everything.`,
  ].join('\n');
}

const vaultLogin = ({ vaultUser }: System['card']): readonly string[] =>
  vaultUser === null
    ? []
    : [
        paint('bold', 'Log in to the vault'),
        `  ${vaultUser.username}, password ${vaultUser.password}. SIMULATED: no hardware protects it on this machine.`,
        '',
      ];
