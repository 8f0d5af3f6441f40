/**
 * A service of a catalogue that is not configured here, for agents to read and owners to choose: nothing is called, paid or
 * fetched by it. All of it is another party's word: each text is one line without invisible characters, cut to a length.
 */
export type Proposal = {
  readonly transport: 'streamable-http' | 'sse' | 'http';
  /** Without its query, which may hold a key. */
  readonly url: string;
  readonly method?: string;
  readonly toolName?: string;
  readonly name?: string;
  readonly description?: string;
  /** In a token that we pay with, under our name for it. */
  readonly price?: string;
  readonly currency?: string;
  readonly payTo?: string;
  /** The catalogue's origin: its path may hold a key. */
  readonly source: string;
};
