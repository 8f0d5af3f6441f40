import type { ChainPort, ExpiryPort } from '@countersign/gateway/ports/chain';
import type { PaymentEntry } from '@countersign/gateway/ports/payment-entry';
import type { ToolCall } from '@countersign/gateway/ports/tool-call';
import type { Logger } from '@countersign/service/logger';
import type { Chain } from './chain.ts';
import { type Dashboard, units } from './dashboard.ts';
import { connectDashboard } from './dashboard-wire.ts';
import { Disk } from './disk.ts';
import { type Bug, startGateway } from './gateway.ts';
import type { Sent } from './ledger.ts';
import { authorizationIn, type Merchant } from './merchant.ts';
import type { Network } from './network.ts';
import type { Crash, Plan } from './plan.ts';
import { Process } from './process.ts';
import type { Random } from './random.ts';
import { payer, type Signed } from './samples.ts';
import type { Life, Schedule } from './schedule.ts';
import { simulatedTimers } from './timers.ts';

const rpcTimeoutMs = 3000;

type Parts = {
  readonly plan: Plan;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly network: Network;
  readonly chain: Chain;
  readonly dashboard: Dashboard;
  readonly merchant: Merchant;
  readonly signed: Signed;
  readonly bug: Bug | undefined;
  readonly note: (line: () => string) => void;
  readonly newId: () => string;
  /** Told of every payment that leaves, each time. */
  readonly onSent: (sent: Sent) => void;
};

/** The machines that gateways run on: a state directory each, with its processes, until they crash. */
export class Machines {
  readonly #parts: Parts;
  readonly #disks: readonly Disk[];
  readonly #life: Life = { name: 'machines', isAlive: true };
  #processes: Process[] = [];
  #crashes: Crash[];

  constructor(parts: Parts) {
    this.#parts = parts;
    const { plan, schedule, random } = parts;
    this.#disks = Array.from({ length: plan.disks }, () => new Disk(schedule, () => random.between(0, 3)));
    this.#crashes = plan.crashes.toSorted((a, b) => a.step - b.step);
    for (const [disk] of this.#disks.entries())
      for (let n = 0; n < plan.processesPerDisk; n += 1) this.#start(disk);
  }

  /** One that runs on this directory; null while none does. */
  anyProcess(disk: number): Process | null {
    const running = this.#processes.filter((process) => process.disk === disk);
    return running.length === 0 ? null : this.#parts.random.pick(running);
  }

  /** To be asked before each step; `lastStep` is what happened in the one before. */
  crashIfDue(step: number, lastStep: string | undefined): void {
    const [crash] = this.#crashes;
    if (crash === undefined || step < crash.step) return;
    if (crash.where === 'anywhere' || lastStep === crash.where) this.#crash(crash);
  }

  /** Nothing crashes any more, and every directory has a gateway. */
  endMishaps(): void {
    this.#crashes = [];
    for (const [disk] of this.#disks.entries()) if (this.anyProcess(disk) === null) this.#start(disk);
  }

  stop(): void {
    for (const { life } of this.#processes) life.isAlive = false;
  }

  #start(directory: number): void {
    const { plan, schedule, network, dashboard, merchant, signed, bug, note, newId } = this.#parts;
    const life: Life = { name: `gateway ${newId().slice(-3)}`, isAlive: true };
    const disk = this.#disks[directory] as Disk;
    const ports = startGateway(
      {
        life,
        open: (opener) => disk.openAs(opener),
        now: () => schedule.now + plan.skewMs.gateway,
        timers: simulatedTimers(schedule, life),
        newId,
        dashboard: connectDashboard(dashboard, network, life),
        services: merchant.connect(life, (call, payload) => this.#onPaid(directory, call, payload)),
        chain: plan.hasNode ? this.#nodeOf(life) : null,
        signed,
        log: this.#log,
      },
      bug,
    );
    note(() => `${life.name} starts on directory ${directory}`);
    this.#processes.push(new Process(life, directory, ports));
  }

  #crash({ kind, restartsIn }: Crash): void {
    const { random, schedule, note } = this.#parts;
    this.#crashes.shift();
    if (this.#processes.length === 0) return;
    const victim = random.pick(this.#processes);
    // Those of one directory share a machine.
    const dying = this.#processes.filter(
      (process) => process === victim || (kind === 'power' && process.disk === victim.disk),
    );
    note(
      () =>
        `${kind === 'power' ? 'power is lost' : 'crash'}: ${dying.map(({ life }) => life.name).join(', ')}`,
    );
    this.#processes = this.#processes.filter((process) => !dying.includes(process));
    for (const process of dying) process.die();
    if (kind === 'power') this.#disks[victim.disk]?.losePower();
    schedule.in(restartsIn, this.#life, 'a restart', () => this.#start(victim.disk));
  }

  #nodeOf(life: Life): ChainPort & ExpiryPort {
    const { network, chain } = this.#parts;
    const ask =
      <Q, A>(what: string, look: (query: Q) => A, failed: A) =>
      (query: Q): Promise<A> =>
        network.ask({ life, what, timeoutMs: rpcTimeoutMs, serve: () => look(query), failed });
    return {
      authorizationUsed: ask('authorizationUsed', chain.node.authorizationUsed, 'unknown'),
      findSettlement: ask('findSettlement', chain.node.findSettlement, 'unknown'),
      searchSettlement: ask('findSettlement', chain.node.findSettlement, 'unknown'),
      staysUnused: ask('staysUnused', chain.node.staysUnused, false),
      wasTaken: async () => false,
      // Nobody here has a nonce of somebody else's payment.
      wasSpentOtherwise: async () => false,
      permit2Standing: async () => 'unknown',
      signedByContract: () => async () => false,
    };
  }

  #onPaid(directory: number, call: ToolCall, payload: object): void {
    const disk = this.#disks[directory] as Disk;
    const { nonce } = authorizationIn(payload);
    const entry = disk.read(payer, ['payment', nonce]) as PaymentEntry | undefined;
    if (entry === undefined) throw new Error(`${nonce} left without being in the journal`);
    const approvalId = entry.ifSettled.metadata?.['approvalId'];
    this.#parts.onSent({
      entry,
      directory,
      disk,
      traceId: call.traceId,
      key: call.idempotencyKey,
      sentAt: this.#parts.schedule.now,
      approvalId: typeof approvalId === 'string' ? approvalId : null,
      amount: units(entry.amount),
    });
  }

  /** What a gateway logs as an error is seen in a replay. */
  readonly #log = {
    warn: () => {},
    error: (...about: unknown[]) => this.#parts.note(() => `logged: ${JSON.stringify(about)}`),
  } as unknown as Logger;
}
