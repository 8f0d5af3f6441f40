import { type Address, parseAddress, sameAddress } from '@countersign/protocol/address';

/** Who says something: the key by its name, and the wallet that signed, if one did. */
export type Approver = { readonly name: string; readonly wallet: Address | null };

/** Returns whether a name of an approver is the address of a wallet. */
export const isWallet = (name: string): boolean => /^0x[0-9a-f]{40}$/i.test(name);

const anyApproverKey = '*';

/**
 * Returns whether a policy names them: the key by its name, any approver key by `*`, a wallet by its address
 * and only by that.
 */
export const isNamed = (approvers: readonly string[], { name, wallet }: Approver): boolean =>
  approvers.some((one) =>
    isWallet(one) ? wallet !== null && sameAddress(one, wallet) : one === anyApproverKey || one === name,
  );

/** Who asked for something: their key, its name, and the user for whom it is to be done. */
export type Asker = { readonly keyId: string; readonly createdBy: string; readonly userId: string };

/**
 * Returns whether they are who asked: by their key, by a name in whatever spelling, or by a wallet whose
 * address such a name is or ends with.
 */
export function isAsker(
  { keyId, createdBy, userId }: Asker,
  approver: Approver & {
    readonly keyId: string;
    /** Wallet of the account whose person they are; null for a key of this control plane. */
    readonly account: Address | null;
  },
): boolean {
  const names = namesOf(approver.name);
  const own = [approver.wallet, approver.account, ...names.map((name) => parseAddress(name))];
  const isTheirs = (asked: string): boolean =>
    names.some((name) => folded(name) === folded(asked)) || own.some((wallet) => isOf(wallet, asked));
  return keyId === approver.keyId || [createdBy, userId].some(isTheirs);
}

/** A person whom a dashboard signed in is also who has their name alone, their id or their account's wallet. */
function namesOf(name: string): readonly string[] {
  const [, bare, id] = /^(.+) \((per_[\w-]+|0x[0-9a-fA-F]{40})\)$/su.exec(name) ?? [];
  return bare === undefined || id === undefined ? [name] : [name, bare, id];
}

/** Folds a name to what people perceive: without case, width and invisible characters. */
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{White_Space}]/gu, '')
    .toLowerCase();

function isOf(wallet: Address | null, name: string): boolean {
  const address = /0x[0-9a-f]{40}$/i.exec(name.trim())?.[0];
  return wallet !== null && address !== undefined && sameAddress(address, wallet);
}
