/** From the mildest to the strictest. `ask` waits for a person. */
export const verdicts = ['allow', 'ask', 'deny'] as const;
export type Verdict = (typeof verdicts)[number];
