/** A site's response to a presented credential. Where it repeats the credential, it holds decoys instead. */
export type PresentedResponse = {
  /** The final URL, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
