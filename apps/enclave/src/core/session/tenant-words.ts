import type { Room, Taken } from '../masking/guesses.ts';
import type { Written } from '../masking/literals.ts';

/** So long is known what a tenant's sessions wrote. */
const rememberedMs = 60 * 60_000;
/**
 * Limits in that time over all sessions of a tenant: words compared with secrets, and words that are masked.
 */
const [maxGuesses, maxWords] = [1024, 1024];
/** Limits on text that is kept whole; the newest is kept. */
const [maxTexts, maxCharacters] = [256, 256 * 1024];
/** Those without sessions that wrote longest ago are forgotten first. */
const maxTenants = 256;

/** What sessions of one tenant share, since a site may show in one session what was written in another. */
export type Told = { readonly written: readonly Written[]; readonly over: readonly string[] };

/** A session among those of its tenant. */
export type Member = {
  readonly room: () => Pick<Room, 'guesses' | 'words'>;
  /** Shares what a session wrote with the tenant's other sessions, present and future. */
  readonly tell: (written: Written, taken: Pick<Taken, 'counted' | 'over'>) => void;
  readonly leave: () => void;
};
/** Hears at once what is known, and then what is told. */
export type Join = (hear: (told: Told) => void) => Member;

type Entry = Pick<Taken, 'counted' | 'over'> & {
  readonly at: number;
  /** Null once newer ones have its place. */
  readonly written: Written | null;
};
type Tenant = { entries: Entry[]; readonly members: Set<(told: Told) => void> };

/** What agents wrote in the last hour, by tenant; kept in memory only. */
export class TenantWords {
  readonly #elapsed: () => number;
  readonly #tenants = new Map<string, Tenant>();

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  join(tenantId: string, hear: (told: Told) => void): Member {
    const { members } = this.#of(tenantId);
    members.add(hear);
    const entries = this.#recent(tenantId);
    hear({
      written: entries.flatMap(({ written }) => written ?? []),
      over: entries.flatMap(({ over }) => over),
    });
    return {
      room: () => {
        const recent = this.#recent(tenantId);
        const sum = (of: 'counted' | 'over') => recent.reduce((all, entry) => all + entry[of].length, 0);
        return {
          guesses: Math.max(0, maxGuesses - sum('counted')),
          words: Math.max(0, maxWords - sum('over')),
        };
      },
      tell: (written, { counted, over }) => {
        const entry = { at: this.#elapsed(), written, counted, over };
        this.#of(tenantId).entries = bounded([...this.#recent(tenantId), entry]);
        for (const member of members) if (member !== hear) member({ written: [written], over });
      },
      leave: () => void members.delete(hear),
    };
  }

  #of(tenantId: string): Tenant {
    const tenant = this.#tenants.get(tenantId) ?? { entries: [], members: new Set() };
    this.#tenants.delete(tenantId);
    this.#tenants.set(tenantId, tenant);
    for (const [id, { members }] of this.#tenants)
      if (this.#tenants.size > maxTenants && members.size === 0 && id !== tenantId) this.#tenants.delete(id);
    return tenant;
  }

  /** Returns the entries of a tenant that are still current, and forgets older ones. */
  #recent(tenantId: string): Entry[] {
    const tenant = this.#of(tenantId);
    const since = this.#elapsed() - rememberedMs;
    tenant.entries = tenant.entries.filter(({ at }) => at > since);
    return tenant.entries;
  }
}

/** Drops the texts of older entries, then the entries that are empty. */
function bounded(entries: readonly Entry[]): Entry[] {
  let [texts, characters] = [0, 0];
  const kept = entries.toReversed().map((entry) => {
    texts += 1;
    characters += entry.written?.texts.join('').length ?? 0;
    return texts <= maxTexts && characters <= maxCharacters ? entry : { ...entry, written: null };
  });
  return kept
    .reverse()
    .filter(({ written, counted, over }) => written !== null || counted.length + over.length > 0);
}
