import type { Address } from '@countersign/protocol/address';
import type { MandateLookup } from '@countersign/protocol/dashboard/mandate';
import { returnedForm } from '@countersign/protocol/dashboard/mandate-credential';
import { fail, ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import { findSignedAgent } from '../agents/store.ts';
import { signedStatement } from '../agents/statement.ts';
import { isOfAnotherAgent, type KeyCaller } from '../callers.ts';
import { type Answer, ofAnotherAgent } from '../refusal.ts';
import { storedCredential } from './credential.ts';
import { noActiveMandate } from './lifecycle.ts';
import { findAgentMandates } from './of-agents.ts';
import { hadMandate, lookUpMandate, type MandateRecord } from './store.ts';

/**
 * Returns the mandate of the paying wallet, its own or its owner's for it. Gateways ask before every payment.
 */
export const lookUp = async (
  pool: Pool,
  now: Date,
  caller: KeyCaller,
  payer: Address,
): Promise<Answer<MandateLookup>> =>
  isOfAnotherAgent(caller, payer) ? fail(ofAnotherAgent) : lookUpFor(pool, now, caller, payer);

async function lookUpFor(
  pool: Pool,
  now: Date,
  caller: KeyCaller,
  payer: Address,
): Promise<Answer<MandateLookup>> {
  if (caller.kind === 'account' && caller.account.walletAddress === payer) return lookUpOwn(pool, now, payer);
  const agent = await findSignedAgent(pool, payer, now);
  if (agent === null)
    // Another account's mandate is none, whatever its state.
    return caller.kind === 'operator' ? lookUpOwn(pool, now, payer) : noActiveMandate(null, null);
  if (caller.kind === 'account' && agent.accountId !== caller.account.id) return noActiveMandate(null, null);
  // Who ever was an agent has an owner who says how far it may go.
  if (agent.state !== 'active')
    return noActiveMandate(agent.state === 'expired' ? 'expired' : 'revoked', true);
  const [mandate = null] = await findAgentMandates(pool, [payer], now);
  const found = answer(mandate, true);
  const statement = signedStatement(agent, agent.owner);
  return found.ok && statement !== null ? ok({ ...found.value, agentWallet: statement }) : found;
}

async function lookUpOwn(pool: Pool, now: Date, payer: Address): Promise<Answer<MandateLookup>> {
  const mandate = await lookUpMandate(pool, payer, now);
  const isActive = mandate !== null && mandate.status === 'active';
  return answer(mandate, isActive || (await hadMandate(pool, payer)));
}

function answer(mandate: MandateRecord | null, had: boolean) {
  if (mandate === null) return noActiveMandate(null, had);
  if (mandate.status !== 'active') return noActiveMandate(mandate.status, had);
  if (mandate.policy.paused) return noActiveMandate('paused', true);
  const { id, perTxLimit, totalBudget, usedAmount, transactionCount, status, expiresAt } = mandate;
  return ok({
    found: true as const,
    mandate: {
      id,
      perTxLimit,
      totalBudget,
      usedAmount,
      transactionCount,
      status,
      expiresAt: expiresAt.toISOString(),
    },
    remainingBudget: mandate.remainingBudget,
    usagePercent: Number(mandate.usagePercent),
    // The database does not let a mandate be active without its credential.
    vcJson: returnedForm(storedCredential(mandate.vcJson ?? '')),
  });
}
