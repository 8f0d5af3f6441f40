import { type Address, sameAddress } from '@countersign/protocol/address';

/** Who says something: the key by its name, and the wallet that signed, if one did. */
export type Approver = { readonly name: string; readonly wallet: Address | null };

const anyApproverKey = '*';

/** Whether a policy names them: the key by its name, any approver key by `*`, a wallet by its address and only by that. */
export const isNamed = (approvers: readonly string[], { name, wallet }: Approver): boolean =>
  approvers.some((one) =>
    /^0x[0-9a-f]{40}$/i.test(one)
      ? wallet !== null && sameAddress(one, wallet)
      : one === anyApproverKey || one === name,
  );
