/** What a site answered to a presentation: with decoys in place of what it repeats of the credential. */
export type PresentedResponse = {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
