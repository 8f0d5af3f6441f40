import * as fc from 'fast-check';
import type { Model } from './reference.ts';
import { compare, type System } from './system.ts';

export type Command = fc.AsyncCommand<Model, System>;

type Step = (model: Model, system: System) => Promise<void>;

/** A step, after which system and model are compared. `needs` says which models it makes sense in. */
export const command = (name: string, needs: (model: Model) => boolean, step: Step): Command => ({
  check: needs,
  toString: () => name,
  async run(model, system) {
    await step(model, system);
    await compare(model, system);
  },
});

export const always = () => true;
export const anyMandate = ({ mandates }: Model) => mandates.length > 0;

/** Names one of a list, however long it will be: see `pick`. */
export const index = fc.nat({ max: 30 });
export const pick = <T>(list: readonly T[], at: number): T => list.at(at % list.length) as T;

/** A tenth, in units of 10^-18. */
export const tenth = 10n ** 17n;

/** Whom payments are for, and through which service: few, so that lists often name them and often not. */
export const merchants = [
  '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
] as const;
export const services = ['quotes', 'archive'] as const;
