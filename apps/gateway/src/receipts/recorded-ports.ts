import type { Address } from '@countersign/protocol/address';
import type { ContractSigned } from '@countersign/service/ethereum/wallet-signature';
import type { z } from 'zod';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { OwnerPort } from '../ports/owner.ts';
import { signedByKey } from '../rules/signed-by-key.ts';
import {
  contractQuestion,
  readConfiguration,
  readEarlier,
  readJournal,
  readMandate,
  readNonce,
  readOwnersContract,
  readPayeesContract,
} from './inputs.ts';
import type { InputName } from './receipt.ts';

/** Something that the decision rested on is not in the export: nobody can say whether it was right. */
export class MissingInput extends Error {
  constructor(name: string) {
    super(`"${name}" is missing`);
  }
}

export type Inputs = Readonly<Partial<Record<InputName, unknown>>>;

export function given(inputs: Inputs, name: InputName): unknown {
  if (inputs[name] === undefined) throw new MissingInput(name);
  return inputs[name];
}

/**
 * Ports that answer what was answered then, at the time it was then. They were written by a gateway whose signature
 * has been checked. What was not recorded is missing, never made up.
 */
export function recordedPorts(inputs: Inputs, payer: Address, at: number): GatewayPorts {
  const configuration = readConfiguration.parse(given(inputs, 'configuration'));
  const answer = async <T>(name: InputName): Promise<T> => given(inputs, name) as T;
  const { owner } = configuration;
  const party = (address: Address) => (address === payer ? 'payer' : 'payee');
  return only<GatewayPorts>({
    now: () => at,
    policy: configuration.policy,
    chainName: '',
    compliance: {
      kyc: (address) => answer(address === owner ? 'payerKyc' : `${party(address)}Kyc`),
      kyt: (address) => answer(address === owner ? 'ownerKyt' : `${party(address)}Kyt`),
    },
    mandates: {
      publicKey: () => answer('publicKey'),
      activeMandate: async () => mandateIn(inputs),
    },
    holds: only<GatewayPorts['holds']>({ place: () => answer('hold'), release: () => Promise.resolve() }),
    services: only<GatewayPorts['services']>({ callPaid: () => answer('settlement') }),
    approvals: only<GatewayPorts['approvals']>({ use: () => Promise.resolve() }),
    state: only<GatewayPorts['state']>({
      paymentOf: async () => earlierIn(inputs),
      findKnown: async (entry) => {
        const opened = journalIn(inputs, entry);
        return opened.kind === 'known' ? opened.entry : null;
      },
      openPayment: async (entry) => journalIn(inputs, entry),
    }),
    chain: configuration.confirmsOnChain
      ? only<NonNullable<GatewayPorts['chain']>>({
          authorizationUsed: () => answer('chainUsed'),
          findSettlement: () => answer('chainFound'),
          permit2Standing: () => answer('chainAllowance'),
          signedByContract: () => recordedContracts(inputs),
        })
      : null,
    owner: owner === null ? null : recordedOwner(inputs, owner),
    // No key is at hand, and none is needed: whether to pay does not depend on the signature.
    wallet: {
      address: payer,
      sign: () => '0x',
      derive: () => readNonce.parse(given(inputs, 'nonce')),
    },
  });
}

function mandateIn(inputs: Inputs): Awaited<ReturnType<GatewayPorts['mandates']['activeMandate']>> {
  const found: z.infer<typeof readMandate> = readMandate.parse(given(inputs, 'mandate'));
  if (found.kind !== 'found') return { kind: found.kind };
  const { mandate } = found;
  const statement = inputs.agentStatement === undefined ? {} : { statement: inputs.agentStatement };
  return { kind: 'found', mandate: { ...mandate, credential: given(inputs, 'credential'), ...statement } };
}

/** A key's signature is judged again; a contract's word was the chain's to give, and is as it was recorded. */
const recordedOwner = (inputs: Inputs, address: Address): OwnerPort => ({
  address,
  isKey: () => false,
  async signed(hash, signature) {
    if (signedByKey(address, hash, signature)) return true;
    const said = readOwnersContract.parse(given(inputs, 'ownersContract'));
    const answer = said[Buffer.from(hash).toString('hex')];
    if (answer === undefined) throw new MissingInput('ownersContract');
    return answer;
  },
});

/** A contract's word was the chain's to give, and is as it was recorded. */
function recordedContracts(inputs: Inputs): ContractSigned {
  return async (wallet, hash) => {
    const said = readPayeesContract.parse(inputs.payeesContract ?? {})[contractQuestion(wallet, hash)];
    if (said === undefined) throw new MissingInput('payeesContract');
    return said;
  };
}

type Opened = Awaited<ReturnType<GatewayPorts['state']['openPayment']>>;

/** Returns the earlier payment, of which only the nonce is recorded, since nothing else of it is judged. */
function earlierIn(inputs: Inputs): PaymentEntry | null {
  const earlier = readEarlier.parse(given(inputs, 'earlier'));
  return earlier === null
    ? null
    : only<PaymentEntry>({ ...earlier, mandateId: null, payload: {}, validBefore: 0 });
}

function journalIn(inputs: Inputs, entry: PaymentEntry): Opened {
  const journal = readJournal.parse(given(inputs, 'journal'));
  return journal.kind === 'known'
    ? { kind: 'known', entry: { ...entry, nonce: journal.nonce, decision: journal.decision } }
    : { kind: journal.kind };
}

/** Returns a port that throws for anything not recorded: a replay must not ask for it. */
function only<T extends object>(known: Partial<T>): T {
  return new Proxy(known, {
    get(target, name) {
      if (name in target) return target[name as keyof T];
      // A promise asks this of everything that it is resolved with.
      if (name === 'then') return undefined;
      throw new MissingInput(String(name));
    },
  }) as T;
}
