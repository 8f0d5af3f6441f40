import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import { legibleName } from '../legible-name.ts';
import type { RouteTable } from '../route.ts';
import { agentNetwork } from './agent-wallet.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { mandate } from './mandate.ts';
import { typedData } from './mandate-credential.ts';
import { listOf, page } from './page.ts';
import { signature } from './signature.ts';

/** `announced`: the wallet has consented and the owner has not signed yet. Expiry is decided by the clock when asked. */
export const agentState = z.enum(['announced', 'active', 'expired', 'revoked']);
export type AgentState = z.infer<typeof agentState>;

const time = z.iso.datetime();
const agentId = z.string().min(1).max(64);
const one = <T extends z.ZodType>(agent: T) => z.object({ agent });

/** A wallet that pays for an owner. `name`, `networks`, `signature` and both times are those of the last statement signed. */
export const agent = z.object({
  agentId: z.string(),
  agentWallet: addressText,
  name: z.string().describe('Empty until the owner has signed'),
  networks: z.array(z.string()).describe('CAIP-2 IDs of the networks on which the agent may pay'),
  state: agentState,
  signature: z.nullable(z.string()),
  createdAt: time,
  signedAt: z.nullable(time),
  expiresAt: z.nullable(time),
  announcedBy: z
    .nullable(z.object({ id: z.string(), name: z.string(), prefix: z.string() }))
    .describe('The API key with which it announced itself; null if that is not known or the key is deleted'),
  activity: z
    .object({
      lastSeenAt: z
        .nullable(time)
        .describe('When an API key of this agent alone was used, or the agent was last reported to pay'),
      days: z.int().describe('The number of days that are summed, including today (UTC)'),
      spent: decimalText,
      payments: z.int(),
      refused: z.int(),
    })
    .describe('What counts for this wallet as payer'),
  stop: z
    .nullable(
      z.object({
        at: time,
        mandates: z.array(z.string()),
        keys: z.array(z.string()),
        connections: z.array(z.string()),
      }),
    )
    .describe(
      'The one act that revoked the agent: the ids of the mandates, API keys and connections of clients that it ended too',
    ),
  mandate: z
    .nullable(mandate)
    .describe('The agent’s active mandate; if there is none, its newest; null if it never had one'),
});
export type Agent = z.infer<typeof agent>;

/** Agent wallets: announced by themselves, signed and revoked by their owner (spec: dashboard.agents). */
export const agentRoutes = {
  announceAgent: {
    method: 'POST',
    path: '/api/agents/announce',
    auth: 'api-key',
    scope: 'agents:announce',
    summary:
      'Offer a wallet as an agent of the account of the API key; signature is the wallet’s own EIP-712 AgentConsent. An agent that is already known is returned as it is; at most 20 wait for a first signature, beside at most 100 that were signed',
    body: z.object({ agentWallet: addressText, signature }),
    data: one(agent),
    refusals: ['UNAUTHORIZED_OPERATION', 'REPEATED_SUBMIT'],
  },
  listAgents: {
    method: 'POST',
    path: '/api/agents/list',
    auth: 'session',
    summary: 'List the account’s agents with the mandate of each, newest first',
    body: z.object({ state: agentState.optional(), ...page }),
    data: listOf(agent),
  },
  prepareAgent: {
    method: 'POST',
    path: '/api/agents/prepare-sign',
    auth: 'session',
    summary:
      'Get the typed data of an AgentWallet statement for an announced, active or expired agent; until it is signed, an earlier statement stays valid. networks defaults to the dashboard’s chain',
    body: z.object({
      agentId,
      name: legibleName(z.string().min(1).max(64)),
      networks: z
        .array(agentNetwork)
        .min(1)
        .max(20)
        .refine((all) => new Set(all).size === all.length, 'must not repeat a network')
        .optional(),
      validDays: z.int().min(1).max(365),
    }),
    data: z.object({ agentId: z.string(), typedData, agent }),
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  signAgent: {
    method: 'POST',
    path: '/api/agents/sign',
    auth: 'session',
    summary: 'Activate an agent with the owner’s EIP-712 signature over the statement that was prepared last',
    body: z.object({ agentId, signature }),
    data: one(agent),
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION'],
  },
  revokeAgent: {
    method: 'POST',
    path: '/api/agents/revoke',
    auth: 'session',
    summary:
      'Permanently revoke an agent, with its active mandate and every API key for it alone; its payments stop. stop in the answer lists what was ended',
    body: z.object({ agentId }),
    data: one(agent),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
