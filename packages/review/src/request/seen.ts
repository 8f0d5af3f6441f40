import type { Body } from './body.ts';
import type { Calls } from './calls.ts';
import type { Put } from './put.ts';
import type { Route } from './route.ts';

/** A request that the browser holds, as it would leave. */
export type SentRequest = {
  /** Upper-case. */
  readonly method: string;
  readonly url: string;
  /** CDP's `resourceType`, lower-case. */
  readonly resource: string;
  readonly contentType: string;
  /** What its headers say that it calls. */
  readonly action?: string;
  /** As text, at most 64 KiB, with decoys where secrets will stand; empty without one. */
  readonly body: string;
  /** There is more of it than that: it is long, or comes in a stream or from a file. */
  readonly isCut?: boolean;
  /** A secret that was filled leaves with it. */
  readonly carriesCredential: boolean;
  /** What is known of the fields of these secrets. */
  readonly put?: readonly Put[];
  readonly pageUrl: string;
};

/** A request with its parts read. */
export type Seen = {
  readonly sent: SentRequest;
  readonly route: Route;
  readonly body: Body;
  readonly calls: Calls;
  /** The operation that set it off was at a form that a person takes for a log-in. */
  readonly isFromLogin: boolean;
};
