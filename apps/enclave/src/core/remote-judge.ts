import type { Heard, Question, SecondJudge } from '../review/second-judge.ts';

/** What the launcher is asked; the core itself reaches nobody. */
export type JudgeAsked = { readonly id: number; readonly question: Question };
export type JudgeHeard = { readonly id: number; readonly heard: Heard };

export type RemoteJudge = {
  readonly judge: SecondJudge;
  readonly hear: (heard: JudgeHeard) => void;
};

/** The second judge, by way of the launcher, who keeps the time and always answers. */
export function remoteJudge(ask: (asked: JudgeAsked) => void): RemoteJudge {
  const waiting = new Map<number, (heard: Heard) => void>();
  let last = 0;
  return {
    judge: (question) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        ask({ id: last, question });
      }),
    hear: ({ id, heard }) => {
      waiting.get(id)?.(heard);
      waiting.delete(id);
    },
  };
}
