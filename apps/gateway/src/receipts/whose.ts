import { type Address, addressText, parseAddress } from '@countersign/protocol/address';
import { z } from 'zod';
import { readConfiguration, readOwnersContract, readPayeesContract } from './inputs.ts';
import type { Receipt } from './receipt.ts';
import type { Inputs } from './recorded-ports.ts';

const named = z.object({ contract: addressText });

/** Receipts of one payer, and whose agent it was by its gateway's configuration: its own owner, or another wallet's. */
export type Paid = { readonly payer: Address; readonly owner: Address; readonly receipts: number };
/** Receipts that follow only if a contract said what its gateway recorded: no signature here shows it. */
export type Word = { readonly contract: Address; readonly receipts: number };

/** Whose receipts an export has, and on whose word they rest; parts that cannot be read count for nobody. */
export class Whose {
  readonly #paid = new Map<string, Paid>();
  readonly #words = new Map<Address, number>();

  /** Gives the owner; null when it cannot be read. */
  count({ payer: text }: Receipt, inputs: Inputs): Address | null {
    const payer = parseAddress(text);
    const configuration = readConfiguration.safeParse(inputs.configuration);
    if (payer === null || !configuration.success) return null;
    const owner = configuration.data.owner ?? payer;
    const key = `${payer} ${owner}`;
    const before = this.#paid.get(key)?.receipts ?? 0;
    this.#paid.set(key, { payer, owner, receipts: before + 1 });
    for (const contract of wordsIn(inputs, owner))
      this.#words.set(contract, (this.#words.get(contract) ?? 0) + 1);
    return owner;
  }

  get paid(): readonly Paid[] {
    return [...this.#paid.values()];
  }

  get words(): readonly Word[] {
    return [...this.#words].map(([contract, receipts]) => ({ contract, receipts }));
  }
}

/** The contracts that said yes: over statement or mandate the owner's, over an approval the one that it names, over an offer the payee's. */
function wordsIn({ ownersContract, payeesContract, approval }: Inputs, owner: Address): ReadonlySet<Address> {
  const said = readOwnersContract.safeParse(ownersContract);
  const approver = named.safeParse(approval);
  const words = new Set<Address>();
  if (said.success && Object.values(said.data).includes(true)) words.add(owner);
  for (const wallet of payeesThatSaid(payeesContract)) words.add(wallet);
  if (approver.success) words.add(approver.data.contract);
  return words;
}

function payeesThatSaid(payeesContract: unknown): readonly Address[] {
  const said = readPayeesContract.safeParse(payeesContract);
  if (!said.success) return [];
  const asked = Object.entries(said.data).filter(([, signed]) => signed);
  return asked
    .map(([question]) => parseAddress(question.split(' ')[0] ?? ''))
    .filter((wallet) => wallet !== null);
}
