import { z } from 'zod';
import { type Address, address } from '../address.ts';
import { actKinds, insteads } from './acts.ts';
import { purposes } from '../request/purpose.ts';
import { sensitiveKinds } from '../lexicon.ts';
import type { ScriptReading } from './read.ts';
import type { PresentedRequest } from './request.ts';

/** More of them say no more. */
const maxActs = 50;

const act = z.strictObject({
  what: z.enum(actKinds),
  /** From 1. */
  line: z.int().min(1),
  /** The operation that does the same. */
  instead: z.nullable(z.enum(insteads)),
});

/** What a record says of a script: what kind it is and what it would do, without its text. */
export const scriptFacts = z.discriminatedUnion('kind', [
  /** `everything`: of a whole page at once. */
  z.strictObject({ kind: z.literal('reads'), everything: z.boolean() }),
  z.strictObject({ kind: z.literal('acts'), acts: z.array(act).max(maxActs) }),
  z.strictObject({
    kind: z.literal('presents'),
    requests: z.array(
      z.strictObject({
        method: z.enum(['POST', 'PUT', 'PATCH']),
        to: address,
        /** As of any request of a page. */
        purpose: z.enum(purposes),
        kinds: z.array(z.enum(sensitiveKinds)),
      }),
    ),
    /** What it would do beside. */
    acts: z.array(act).max(maxActs),
  }),
  z.strictObject({ kind: z.literal('unparsable'), line: z.int().min(1) }),
  /** A placeholder stands where no presentation is. */
  z.strictObject({ kind: z.literal('placeholder'), line: z.int().min(1) }),
]);
export type ScriptFacts = z.infer<typeof scriptFacts>;

type Presented = Extract<ScriptFacts, { kind: 'presents' }>['requests'][number];

export function scriptFactsOf(
  reading: ScriptReading,
  addressSeen: (url: string) => Address,
  actsOf: (request: PresentedRequest) => Pick<Presented, 'purpose' | 'kinds'>,
): ScriptFacts {
  switch (reading.kind) {
    case 'acts':
      return { kind: 'acts', acts: reading.acts.slice(0, maxActs) };
    case 'presents':
      return {
        kind: 'presents',
        requests: reading.requests.map((request) => ({
          method: request.method,
          to: addressSeen(request.url),
          ...actsOf(request),
        })),
        acts: reading.acts.slice(0, maxActs),
      };
    case 'reads':
    case 'unparsable':
    case 'placeholder':
      return reading;
  }
}
