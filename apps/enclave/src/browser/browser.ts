import type { Operation } from '@countersign/protocol/vault/operation';
import type { Result } from '@countersign/protocol/result';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import type { UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Observation } from '../review/observation.ts';

/** A field of a credential, opened anew at each use. */
export type Secret = {
  /** Where it may be sent: within these and within the session's own. Empty: wherever the session may go. */
  readonly allowedUrls: readonly UrlPattern[];
  /** `network` keeps the real value out of the page; `dom` types it. */
  readonly mode: 'network' | 'dom';
  /**
   * Gives the bytes (UTF-8) once the record of the access is on disk, and wipes them when `use` is done, whatever
   * happens. Rejects where the credential cannot be opened any more.
   */
  readonly open: <T>(use: (bytes: Buffer) => T | Promise<T>) => Promise<T>;
};

/** What an operation's `value` stands for. */
export type Text = readonly (string | Secret)[];

export type Screenshot = { readonly png: Buffer; readonly width: number; readonly height: number };

/**
 * The browser of one session, over its debugging pipe. It keeps the session's scope on every target by itself. What it
 * answers is as the page has it: whoever hands it out masks it first.
 */
export type Browser = {
  /** What an operation would meet, for the review. */
  readonly observe: (operation: Operation) => Promise<Observation>;
  /** Does it, if the page is still the one that was observed. `null` for operations that tell nothing. */
  readonly perform: (operation: Operation, value: Text) => Promise<Result<unknown, OperationProblem>>;
  readonly screenshot: (fullPage: boolean) => Promise<Result<Screenshot, OperationProblem>>;
  /** Rows of tables and lists, or text, of the selector or the page. */
  readonly read: (selector: string | null) => Promise<Result<PageData, OperationProblem>>;
  readonly currentUrl: () => string | null;
  /** Resolves when it is gone, asked or not. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
};

/** What `export` makes its formats of. */
export type PageData = {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly tables: readonly { readonly rows: readonly (readonly string[])[] }[];
};

/** Something that the session must hear of. Addresses are without query. */
export type Alarm =
  /** A decoy stood in a request in which it has no business. */
  | { readonly kind: 'decoy'; readonly url: string; readonly method: string }
  /** A request out of scope, which was not sent. */
  | { readonly kind: 'scope'; readonly url: string; readonly resource: string };
