import type { Address } from '@countersign/protocol/address';
import type { Timers } from '@countersign/service/timers';
import type { Tracer } from '@countersign/service/trace';
import type { Discovery } from '../discovery/discovery.ts';
import type { ReceiptsPort } from '../receipts/receipt.ts';
import type { PaymentPolicy } from '../rules/policy.ts';
import type { CallsPort } from './calls.ts';
import type { ChainPort } from './chain.ts';
import type { ApprovalsPort, CompliancePort, HoldsPort, MandatePort } from './dashboard.ts';
import type { OwnerPort } from './owner.ts';
import type { ServicesPort } from './services.ts';
import type { StatePort } from './state.ts';
import type { Wallet } from './wallet.ts';

export type GatewayPorts = {
  readonly services: ServicesPort;
  readonly discovery: Pick<Discovery, 'search'>;
  readonly compliance: CompliancePort;
  readonly mandates: MandatePort;
  readonly holds: HoldsPort;
  readonly approvals: ApprovalsPort;
  readonly state: StatePort;
  readonly calls: CallsPort;
  readonly receipts: ReceiptsPort;
  /** Null when no RPC endpoint is configured: settlement is then the service's word. */
  readonly chain: ChainPort | null;
  readonly wallet: Wallet;
  /** Whose agent the wallet is; null: it is its owner's own. */
  readonly owner: OwnerPort | null;
  readonly policy: PaymentPolicy;
  /** May approve beside the owner. */
  readonly approvers: readonly Address[];
  /** Whether the owner is sent the arguments of a call that they are asked about, or their hash alone. */
  readonly sendsArguments: boolean;
  readonly chainName: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly timers: Timers;
  readonly randomId: () => string;
  readonly tracer: Tracer;
};
