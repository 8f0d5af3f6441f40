import type { Progress } from '../ports/tool-call.ts';

/** The parameters of a progress notification besides its token. */
type ToldProgress = { readonly progress: number; readonly total?: number; readonly message?: string };

const smallestStep = 0.001;

/**
 * MCP wants each progress to be above the one before. The gateway's own stages take the smallest steps, so that what a
 * tool reports passes as it is: value, total and message.
 */
export function risingProgress(): (message: string | undefined, of?: Progress) => ToldProgress {
  let last = 0;
  return (message, of) => {
    const next = Math.round((last + smallestStep) / smallestStep) * smallestStep;
    last = of !== undefined && of.progress > last ? of.progress : Number(next.toFixed(3));
    return {
      progress: last,
      ...(of?.total !== undefined && { total: of.total }),
      ...(message !== undefined && { message }),
    };
  };
}
