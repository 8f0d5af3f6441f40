import type { Operation } from '@countersign/protocol/vault/operation';
import type { Result } from '@countersign/protocol/result';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import type { UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Observation } from '@countersign/review/observation';
import type { ScriptReading } from '@countersign/review/script/read';

/** Which field of which credential, and the field of the page into which it was put, masked. */
export type SecretName = { readonly credentialId: string; readonly field: string; readonly at: string };

/** A field of a credential, opened anew at each use. */
export type Secret = {
  /** Where it may be sent: within these and within the session's own. Empty: wherever the session may go. */
  readonly allowedUrls: readonly UrlPattern[];
  /** `network` keeps the real value out of the page; `dom` types it. */
  readonly mode: 'network' | 'dom';
  /** Whether it names an account: what stands for it keeps its shape. */
  readonly isName?: boolean;
  /** Whether that is somebody who logs in, and no machine: a script of the page calls it as it likes. */
  readonly isAccount?: boolean;
  /** Whether it was let in because a log-in stood there; else a person agreed to what did. */
  readonly asLogin?: boolean;
  /** What it is, for people. */
  readonly called?: SecretName;
  /** Told when a request takes it out of the browser. */
  readonly onSent?: () => void;
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
 * answers is masked, but for addresses: whoever hands these out masks them first.
 */
export type Browser = {
  /** What an operation would meet, for the review. */
  readonly observe: (operation: Operation) => Promise<Observation>;
  /**
   * Does it, if the page is still the one that was observed. `null` for operations that tell nothing. What kind of script
   * it is, the review has read; one of which nothing is said reads.
   */
  readonly perform: (
    operation: Operation,
    value: Text,
    script?: ScriptReading | null,
  ) => Promise<Result<unknown, OperationProblem>>;
  readonly screenshot: (fullPage: boolean) => Promise<Result<Screenshot, OperationProblem>>;
  /** A picture with the target of an operation outlined, which was observed last. */
  readonly outlined: (operation: Operation) => Promise<Result<Screenshot, OperationProblem>>;
  /** How often a page was moved to look at it since this was asked last, which the page may take for more. */
  readonly takeMoves: () => number;
  /** Rows of tables and lists, or text, of the selector or the page. */
  readonly read: (selector: string | null) => Promise<Result<PageData, OperationProblem>>;
  /** Sends requests that wait for a person, and waits for what comes of them. Fails as `interrupted` where one is gone. */
  readonly release: (ids: readonly string[]) => Promise<Result<null, OperationProblem>>;
  /** Fails them. */
  readonly drop: (ids: readonly string[]) => void;
  readonly currentUrl: () => string | null;
  /** Values by which sites know the browser, as far as `copyPage` is told of them. Rejects where it does not answer. */
  readonly cookies: () => Promise<readonly string[]>;
  /** Of the page, another one with each that is loaded; null where there is none. */
  readonly currentDocument: () => string | null;
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
  /** The same, but the page was telling its own site; it was not sent. */
  | { readonly kind: 'own-site'; readonly url: string; readonly method: string }
  /** A request out of scope, which was not sent. */
  | { readonly kind: 'scope'; readonly url: string; readonly resource: string };
