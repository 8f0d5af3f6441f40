import type { Act } from './acts.ts';
import { findActs } from './find-acts.ts';
import { newKinds } from './kinds.ts';
import { declaredIn, nodesOf } from './nodes.ts';
import { parseScript } from './parse.ts';
import { readsEverything } from './everything.ts';
import { isCut, presentationsIn } from './presentation.ts';
import type { PresentedRequest } from './request.ts';

/** What kind of script it is. It need not be sound: what reads and presents runs where acting does nothing. */
export type ScriptReading =
  | { readonly kind: 'reads'; readonly everything: boolean }
  | { readonly kind: 'acts'; readonly acts: readonly Act[] }
  | {
      readonly kind: 'presents';
      readonly requests: readonly PresentedRequest[];
      /** The script without them: what is left reads. `fetch` without arguments answers the responses, in order. */
      readonly rest: string;
      /** What it does beside. */
      readonly acts: readonly Act[];
    }
  /** `placeholder`: one stands where no presentation is. */
  | { readonly kind: 'unparsable' | 'placeholder'; readonly line: number };

/** Reads a script: the body of an async function, with placeholders. Its cost is linear in the text. */
export const readScript = (source: string): ScriptReading => readCounted(source).reading;

/** The same, with how many nodes were looked at. */
export function readCounted(source: string): { readonly reading: ScriptReading; readonly steps: number } {
  const parsed = parseScript(source);
  if ('kind' in parsed) return { reading: parsed, steps: 0 };
  const visits = nodesOf(parsed.program);
  const kinds = newKinds(declaredIn(visits));
  const script = { ...parsed, visits, declared: kinds.declared };
  const presented = parsed.fields.length === 0 ? null : presentationsIn(script);
  const left =
    presented === null
      ? visits
      : visits.filter(({ node }) => !presented.callees.has(node) && !isCut(node, presented.cuts));
  const acts = findActs(left, kinds);
  const steps = visits.length + kinds.steps;
  return { reading: conclude(), steps };

  function conclude(): ScriptReading {
    if ('kind' in parsed) return parsed;
    if (presented !== null)
      return { kind: 'presents', requests: presented.requests, rest: presented.rest, acts };
    if (parsed.fields.length > 0) return { kind: 'placeholder', line: parsed.line };
    return acts.length > 0
      ? { kind: 'acts', acts }
      : { kind: 'reads', everything: visits.some(readsEverything) };
  }
}
