import type { Heard, SecondJudge } from '@countersign/review/second-judge';
import type { JudgeAsked, JudgeHeard } from '../channel/core.ts';

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
