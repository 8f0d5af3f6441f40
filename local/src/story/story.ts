import { sayWhy } from '@countersign/service/lifecycle';
import { checkAudit } from './audit.ts';
import { type VaultCard, workBehindLogin } from './behind-login.ts';
import { type ControlCard, orderUnderPolicy } from './under-policy.ts';
import { type PaymentCard, payForTools } from './payments.ts';
import type { Print } from './print.ts';

/** The addresses and keys that the story needs. */
export type StoryCard = PaymentCard & VaultCard & ControlCard;

/** Runs one agent's day and prints it. Resolves with true if everything went as expected. */
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
