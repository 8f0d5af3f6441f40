import type { KytDecision } from '@countersign/protocol/dashboard/compliance';
import type { Pool } from '@countersign/service/sql';
import type { Evidence } from './evidence.ts';
import { guard } from './guard.ts';
import type {
  KytList,
  KytProvider,
  KytQuestion,
  KytVendor,
  ListState,
  Screening,
  Unavailable,
} from '../screening/ports.ts';
import { combine, decide, type ScreeningPolicy, sanctioned } from '../screening/risk.ts';
import { isDenied } from './sanctions-store.ts';
import type { Asked, Outcome, ScreeningRecord } from './screening-store.ts';
import { createSingleFlight } from './single-flight.ts';

type Known = Omit<Screening, 'raw'> & { readonly at: Date };
export type Verdict = Known & { readonly decision: KytDecision };

export type ProviderState = {
  readonly provider: string;
  readonly state: 'up' | 'down' | 'stale';
  readonly listDate: Date | null;
};

/** Screening by all the chosen providers, and before them by the operators' own deny list. */
export type Kyt = {
  readonly screen: (question: KytQuestion) => Promise<Verdict | Unavailable>;
  readonly states: () => Promise<readonly ProviderState[]>;
  /** Returns the state of our own list; null if none is used. */
  readonly listState: () => Promise<ListState | null>;
  /** Returns whether so many providers fail just now that every screening does. */
  readonly allFails: () => Promise<boolean>;
};

type Parts = {
  readonly pool: Pool;
  readonly providers: readonly KytProvider[];
  readonly policy: ScreeningPolicy;
  readonly evidence: Evidence;
  readonly now: () => Date;
};

/** One provider of any kind, whose evidence is kept. */
type Witness = {
  readonly screen: (question: KytQuestion) => Promise<Known | Unavailable>;
  readonly state: () => Promise<ProviderState>;
  readonly fails: () => Promise<boolean>;
};

export function createKyt(parts: Parts): Kyt {
  const { pool, providers, policy, evidence } = parts;
  const witnesses = providers.map((provider) =>
    provider.kind === 'vendor' ? vendorWitness(provider, parts) : listWitness(provider, parts),
  );
  const list = providers.find((provider) => provider.kind === 'list');
  return {
    async screen(question) {
      if (await isDenied(pool, question.address)) {
        const { screenedAt: at } = await evidence.keepOnce(
          askedOf(denied.source, question),
          outcomeOf(denied, policy),
        );
        return { ...denied, at, decision: 'reject' };
      }
      const answer = combine(await Promise.all(witnesses.map(({ screen }) => screen(question))), policy);
      return answer.kind === 'unavailable' ? answer : { ...answer, decision: decide(answer, policy) };
    },
    states: () => Promise.all(witnesses.map(({ state }) => state())),
    listState: async () => (await list?.state()) ?? null,
    async allFails() {
      const failing = await Promise.all(witnesses.map(({ fails }) => fails()));
      return policy.require === 'all' ? failing.includes(true) : !failing.includes(false);
    },
  };
}

const denied = {
  kind: 'screened',
  ...sanctioned,
  source: 'deny-list',
  listDate: null,
  requestId: null,
} as const;

function listWitness(list: KytList, { policy, evidence }: Parts): Witness {
  return {
    async screen(question) {
      const answer = await list.screen(question);
      const { screenedAt: at } = await evidence.keepOnce(
        askedOf(list.id, question),
        outcomeOf(answer, policy),
      );
      return answer.kind === 'unavailable' ? answer : { ...answer, at };
    },
    async state() {
      const { fresh, listDate, source } = await list.state();
      const missing = listDate === null ? 'down' : 'stale';
      // A demonstration list goes by its own name.
      return { provider: source ?? list.id, state: fresh ? 'up' : missing, listDate };
    },
    fails: async () => !(await list.state()).fresh,
  };
}

function vendorWitness(vendor: KytVendor, { policy, evidence, now }: Parts): Witness {
  const guarded = guard(vendor.screen, ({ address }) => address, now);
  const once = createSingleFlight<Known | Unavailable>();

  async function askAndKeep(asked: Asked, question: KytQuestion): Promise<Known | Unavailable> {
    const at = now();
    const answer = await guarded.ask(question);
    if (answer.kind === 'unavailable' && answer.why === 'resting') return answer;
    await evidence.keep(asked, outcomeOf(answer, policy), { askedAt: at, raw: answer.raw });
    return answer.kind === 'unavailable' ? answer : { ...answer, at };
  }

  return {
    screen(question) {
      const asked = askedOf(vendor.id, question);
      // Who comes when a flight has just ended finds its answer: remembering is part of the flight.
      return once(`${question.address} ${question.chain}`, async () => {
        const remembered = await evidence.recall(asked);
        const known = remembered === null ? null : knownFrom(remembered);
        return known ?? askAndKeep(asked, question);
      });
    },
    state: async () => ({ provider: vendor.id, state: guarded.isUp() ? 'up' : 'down', listDate: null }),
    fails: async () => guarded.isFailing(),
  };
}

const askedOf = (provider: string, { address, chain }: KytQuestion): Asked => ({
  kind: 'kyt',
  provider,
  subject: address,
  chain,
});

function outcomeOf(answer: Omit<Screening, 'raw'> | Unavailable, policy: ScreeningPolicy): Outcome {
  if (answer.kind === 'unavailable') return { ...nothing, verdict: 'unavailable', why: whyOf(answer) };
  const { riskLevel, riskScore, attribution, source, listDate, requestId } = answer;
  const verdict = decide(answer, policy);
  return { verdict, riskLevel, riskScore, attribution, source, listDate, requestId, why: null };
}

const nothing = {
  riskLevel: null,
  riskScore: null,
  attribution: null,
  source: null,
  listDate: null,
  requestId: null,
} as const;

/** Returns one line for the log and the evidence. */
export const whyOf = ({ why, detail }: Unavailable): string => `${why}: ${detail}`;

/** Null for a record without a verdict. */
function knownFrom(record: ScreeningRecord): Known | null {
  const { riskLevel, riskScore, attribution, source, listDate, requestId, screenedAt: at } = record;
  if (riskLevel === null || riskScore === null || attribution === null || source === null) return null;
  return { kind: 'screened', riskLevel, riskScore, attribution, source, listDate, requestId, at };
}
