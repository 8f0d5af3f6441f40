import { fails, holds, type Step, told } from '@countersign/audit-log/verify/report';
import type { TdFacts } from './quote.ts';

/** Bits of TDATTRIBUTES (Intel TDX Module ABI, TD attributes). */
const [lass, septVeDisable, migratable, protectionKeys, keyLocker, perfmon] = [27n, 28n, 29n, 30n, 31n, 63n];
const bit = (at: bigint): bigint => 1n << at;
/** Those that take nothing from the guest; the lowest eight are debug mode and judged as such. */
const harmless = [lass, septVeDisable, migratable, protectionKeys, keyLocker, perfmon].reduce(
  (bits, at) => bits | bit(at),
  0xffn,
);

type Rule = {
  /** A text says that the quote does not tell. */
  readonly holds: (td: TdFacts) => boolean | string;
  readonly good: string;
  readonly bad: string;
};

/**
 * What we ask of a TDX guest beside what Intel judges: all of it is its owner's choice, so a policy may allow it by
 * these names.
 */
const tdRules = {
  'sept-ve': {
    holds: ({ attributes }) => (attributes & bit(septVeDisable)) !== 0n,
    good: 'the host cannot interrupt it at memory of its choice (SEPT_VE_DISABLE)',
    bad: 'the host can interrupt it at memory of its choice (SEPT_VE_DISABLE is not set)',
  },
  migratable: {
    holds: ({ attributes }) => (attributes & bit(migratable)) === 0n,
    good: 'it cannot be moved to another machine',
    bad: 'it can be moved to another machine (MIGRATABLE)',
  },
  'service-td': {
    holds: ({ mrServiceTd }) =>
      mrServiceTd === null
        ? 'the quote does not say whether another guest serves it: a report of TDX 1.0 has no MRSERVICETD'
        : /^0*$/.test(mrServiceTd),
    good: 'no other guest serves it',
    bad: 'another guest serves it, and may know its secrets (MRSERVICETD)',
  },
  'unknown-attributes': {
    holds: ({ attributes }) => (attributes & ~harmless) === 0n,
    good: 'it has no attribute that is not known here',
    bad: 'it has attributes that are not known here (TDATTRIBUTES)',
  },
} as const satisfies Record<string, Rule>;

type RuleName = keyof typeof tdRules;
export const tdRuleNames = Object.keys(tdRules) as [RuleName, ...RuleName[]];

/** Each rule as a step of its own; nothing for what is no TDX guest. */
export const tdSteps = (td: TdFacts | null, allowed: readonly RuleName[]): readonly Step[] =>
  td === null
    ? []
    : tdRuleNames.map((name) => {
        const { holds: isKept, good, bad }: Rule = tdRules[name];
        const kept = isKept(td);
        if (typeof kept === 'string') return told(kept);
        if (kept) return holds(good);
        return allowed.includes(name)
          ? holds(`${bad}; you allow it`)
          : fails(`${bad}: to accept this, set "allow": ["${name}"] in a --policy`);
      });
