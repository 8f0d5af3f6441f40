import type { Address } from '@countersign/protocol/address';
import type { z } from 'zod';
import type { GatewayPorts, PaymentEntry } from '../ports.ts';
import { readConfiguration, readEarlier, readJournal, readMandate, readNonce } from './inputs.ts';
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
  const party = (address: Address) => (address === payer ? 'payer' : 'payee');
  return only<GatewayPorts>({
    now: () => at,
    policy: configuration.policy,
    chainName: '',
    compliance: {
      kyc: (address) => answer(`${party(address)}Kyc`),
      kyt: (address) => answer(`${party(address)}Kyt`),
    },
    mandates: {
      publicKey: () => answer('publicKey'),
      activeMandate: async () => mandateIn(inputs),
    },
    holds: only<GatewayPorts['holds']>({ place: () => answer('hold') }),
    services: only<GatewayPorts['services']>({ callPaid: () => answer('settlement') }),
    approvals: only<GatewayPorts['approvals']>({ use: () => Promise.resolve() }),
    state: only<GatewayPorts['state']>({
      paymentOf: async () => earlierIn(inputs),
      openPayment: async (entry) => journalIn(inputs, entry),
    }),
    chain: configuration.confirmsOnChain
      ? only<NonNullable<GatewayPorts['chain']>>({
          authorizationUsed: () => answer('chainUsed'),
          findSettlement: () => answer('chainFound'),
        })
      : null,
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
  return { kind: 'found', mandate: { ...mandate, credential: given(inputs, 'credential') } };
}

type Opened = Awaited<ReturnType<GatewayPorts['state']['openPayment']>>;

/** Of an earlier payment only its nonce is recorded; nothing else of it is judged. */
function earlierIn(inputs: Inputs): PaymentEntry | null {
  const earlier = readEarlier.parse(given(inputs, 'earlier'));
  return earlier === null
    ? null
    : only<PaymentEntry>({ ...earlier, mandateId: null, payload: {}, validBefore: 0 });
}

function journalIn(inputs: Inputs, entry: PaymentEntry): Opened {
  const journal = readJournal.parse(given(inputs, 'journal'));
  return journal.kind === 'known'
    ? { kind: 'known', entry: { ...entry, nonce: journal.nonce } }
    : { kind: journal.kind };
}

/** What a replay must not ask is as good as not recorded. */
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
