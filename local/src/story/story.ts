import { sayWhy } from '@countersign/service/lifecycle';
import { checkAudit } from './audit.ts';
import { type VaultCard, workBehindLogin } from './behind-login.ts';
import { type ControlCard, orderUnderPolicy } from './under-policy.ts';
import { type PaymentCard, payForTools } from './payments.ts';
import type { Print } from './print.ts';

/** What the story needs to know of the running system. */
export type StoryCard = PaymentCard & VaultCard & ControlCard;

/** One agent's day. Prints what happens. True when everything happened as it should. */
export async function runStory({ card, print }: { card: StoryCard; print: Print }): Promise<boolean> {
  try {
    return (
      (await payForTools(card, print)) &&
      (await workBehindLogin(card, print)) &&
      (await checkAudit(card, print)) &&
      (await orderUnderPolicy(card, print))
    );
  } catch (error) {
    print(`  ${sayWhy(error)}`);
    return false;
  }
}
