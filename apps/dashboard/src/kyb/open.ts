import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { createEvidence } from '../compliance/evidence.ts';
import type { Sealer } from '../compliance/seal.ts';
import type { RandomBytes } from '../ids.ts';
import type { KybConfig } from '../provider-config.ts';
import { kybVendor } from '../providers.ts';
import { createKyb, type Kyb } from './kyb.ts';
import { startKybChecks } from './poll.ts';

type Settings = { readonly kyb: KybConfig; readonly sealer: Sealer | null };
type World = { readonly now: () => Date; readonly random: RandomBytes; readonly log: Logger };

/** The chosen provider of checks; null where operators alone check businesses. Opened once a process: it knows how the provider fares. */
export const openKyb = ({ kyb, sealer }: Settings, pool: Pool, { now, random, log }: World): Kyb | null =>
  kyb === null
    ? null
    : createKyb(kybVendor(kyb, now), {
        pool,
        evidence: createEvidence({ pool, sealer, now, random }),
        now,
        log,
      });

/** Returns the component that refreshes its checks, if there is one. */
export const kybChecks = (
  kyb: Kyb | null,
  pool: Pool,
  world: Pick<World, 'now' | 'log'>,
): readonly Service[] => (kyb === null ? [] : [startKybChecks({ ...world, pool, kyb })]);
