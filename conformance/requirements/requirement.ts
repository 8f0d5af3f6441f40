/** One statement of the documents or of our design pages, and where it is proven. */
export type Requirement = {
  /** Dotted, stable, area first: `gateway.compliance.fail-close`. Lower-case, [a-z0-9.-]. */
  readonly id: string;
  /** Where it stands: `document 1, Limits 1` or `page 1, Paying`. */
  readonly source: string;
  /** What a stranger can observe, one English sentence in our own short words. */
  readonly behaviour: string;
  /** `tested`: a test cites the id. `planned`: the issue that builds it. */
  readonly status: 'tested' | { readonly planned: number };
};
