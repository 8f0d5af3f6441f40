import { Agents } from './agents.ts';
import { Chain } from './chain.ts';
import { Dashboard } from './dashboard.ts';
import type { Bug } from './gateway.ts';
import { brokenNow } from './invariants/always.ts';
import { brokenByAnswer, brokenBySending } from './invariants/events.ts';
import type { Looked } from './invariants/looked.ts';
import { brokenAtRest, brokenWhenQuiet } from './invariants/rest.ts';
import { Ledger, type Sent } from './ledger.ts';
import { Machines } from './machines.ts';
import { Merchant } from './merchant.ts';
import { fair, Network } from './network.ts';
import { drawPlan, type Plan } from './plan.ts';
import { Random } from './random.ts';
import { beginning, type Signed } from './samples.ts';
import { type Life, Schedule } from './schedule.ts';

/** An honest world is at rest long before. */
const maxSteps = 20_000;
/** What lies further ahead is a timer that only tidies up. Ms. */
const horizonMs = 120_000;

/** Ms that pass once the agents are done: until payments are void, until nodes have caught up, and a little more. */
const recovery = [75_000, 60_000, 100_000, 60_000, 20_000];

type Options = { readonly bug?: Bug | undefined; readonly tell?: ((line: string) => void) | undefined };

/** One seed: gateways, dashboard, merchant, chain, agents and owner, and what is seen from outside of all of them. */
export class World {
  readonly plan: Plan;
  /** What is broken, in words; null while nothing is. */
  broken: string | null = null;
  isOver = false;
  steps = 0;
  readonly #tell: ((line: string) => void) | undefined;
  readonly #schedule = new Schedule(beginning);
  readonly #network: Network;
  readonly #dashboard: Dashboard;
  readonly #machines: Machines;
  readonly #agents: Agents;
  readonly #looked: Looked;
  readonly #life: Life = { name: 'world', isAlive: true };
  readonly #jumps = [...recovery];
  #lastStep: string | undefined;
  #ids = 0;

  constructor(seed: number, signed: Signed, { bug, tell }: Options = {}) {
    const random = new Random(seed);
    const plan = drawPlan(random);
    const schedule = this.#schedule;
    this.plan = plan;
    this.#tell = tell;
    const now = (): number => schedule.now;
    const note = (line: () => string): void => this.#note(line);
    const newId = (): string => this.#newId();
    const network = new Network(schedule, random, plan.weather);
    const chain = new Chain(now, { skewMs: plan.skewMs.chain, lagMs: plan.nodeLagMs });
    const dashboard = new Dashboard(() => now() + plan.skewMs.dashboard, signed, plan.holds);
    const merchant = new Merchant({ schedule, network, random, chain, signed, manner: plan.merchant });
    const ledger = new Ledger();
    this.#network = network;
    this.#dashboard = dashboard;
    this.#looked = { plan, chain, dashboard, ledger };
    const outside = { plan, schedule, random, network, chain, dashboard, merchant, signed, note, newId };
    this.#machines = new Machines({ ...outside, bug, onSent: (sent) => this.#onSent(sent) });
    const asking = { plan, schedule, random, dashboard, machines: this.#machines, newTrace: newId };
    this.#agents = new Agents({
      ...asking,
      ledger,
      onAnswer: (caller) => {
        note(() => `${caller.purchase.name} is told ${caller.answer?.code}`);
        this.#fail(brokenByAnswer(this.#looked, caller));
      },
      fail: (why) => this.#fail(why),
    });
    this.#prepareOwner();
    this.#prepareOutage();
  }

  /** Does one step; what it set off has to be over before the next. */
  step(): void {
    if (this.isOver) return;
    this.#fail(brokenNow(this.#looked));
    if (this.broken !== null) return this.#end();
    this.#machines.crashIfDue(this.steps, this.#lastStep);
    if (this.#isQuiet() && !this.#jump()) {
      this.#fail(brokenAtRest(this.#looked));
      return this.#end();
    }
    this.steps += 1;
    const step = this.#schedule.step();
    this.#lastStep = step?.what;
    if (step !== null) this.#note(() => `${step.life.name}: ${step.what}`);
    if (this.steps > maxSteps) this.#fail('it does not come to rest');
  }

  #isQuiet(): boolean {
    return this.#agents.areDone && this.#schedule.isAtRest(horizonMs);
  }

  /** Mishaps are over, and the time comes in which all that is open has to be settled. False when it has. */
  #jump(): boolean {
    this.#fail(brokenWhenQuiet(this.#looked));
    const ms = this.#jumps.shift();
    if (ms === undefined) return false;
    this.#network.weather = fair;
    this.#machines.endMishaps();
    this.#note(() => `${ms} ms pass`);
    this.#schedule.jump(ms);
    return true;
  }

  #prepareOwner(): void {
    const { budget, revokedAt, renewedAt } = this.plan;
    if (budget === null) return;
    this.#dashboard.signMandate('mdt_1', budget);
    if (revokedAt === null) return;
    this.#schedule.in(revokedAt, this.#life, 'the owner revokes the mandate', () => {
      this.#dashboard.revoke('mdt_1');
      this.#looked.ledger.revokedAt.set('mdt_1', this.#schedule.now);
    });
    if (renewedAt === null) return;
    this.#schedule.in(renewedAt, this.#life, 'the owner signs another mandate', () =>
      this.#dashboard.signMandate('mdt_2', budget),
    );
  }

  #prepareOutage(): void {
    const { outage } = this.plan;
    if (outage === null) return;
    const set = (isAway: boolean) => (): void => {
      this.#dashboard.isAway = isAway;
    };
    this.#schedule.in(outage.from, this.#life, 'the dashboard goes away', set(true));
    this.#schedule.in(outage.to, this.#life, 'the dashboard is back', set(false));
  }

  #onSent(sent: Sent): void {
    const { nonce, amount } = sent.entry;
    this.#note(() => `payment ${nonce.slice(0, 8)} of ${amount} leaves`);
    const { ledger } = this.#looked;
    ledger.senders.set(sent.traceId, sent);
    if (ledger.sent.has(nonce)) return;
    this.#fail(brokenBySending(this.#looked, sent));
    ledger.sent.set(nonce, sent);
  }

  /** 32 hex digits, another each time. */
  #newId(): string {
    this.#ids += 1;
    return this.#ids.toString(16).padStart(32, '0');
  }

  #fail(why: string | null): void {
    if (why === null) return;
    this.broken ??= why;
    this.#note(() => `BROKEN: ${why}`);
  }

  #end(): void {
    this.isOver = true;
    this.#machines.stop();
  }

  #note(line: () => string): void {
    this.#tell?.(`${String(this.#schedule.now - beginning).padStart(7)} ms  ${line()}`);
  }
}
