import type { Cookie } from '../session/withheld/cookie.ts';
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
  /**
   * The URLs that the secret may be sent to, in addition to the session's own limits. Empty: the session's
   * limits alone apply.
   */
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

/** The text that an operation's `value` resolves to: literal text and secrets. */
export type Text = readonly (string | Secret)[];

export type Screenshot = { readonly png: Buffer; readonly width: number; readonly height: number };

/**
 * The browser of one session, over its debugging pipe. It keeps the session's scope on every target by itself. What it
 * answers is masked, but for addresses: whoever hands these out masks them first.
 */
export type Browser = {
  /** Returns the facts of the page that the operation would act on; the review judges them. */
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
  /**
   * Returns how often a page was scrolled to capture it since the last call: the page may take that for a
   * user's action.
   */
  readonly takeMoves: () => number;
  /** Rows of tables and lists, or text, of the selector or the page. */
  readonly read: (selector: string | null) => Promise<Result<PageData, OperationProblem>>;
  /** Sends requests that wait for a person, and waits for what comes of them. Fails as `interrupted` where one is gone. */
  readonly release: (ids: readonly string[]) => Promise<Result<null, OperationProblem>>;
  /** Fails them. */
  readonly drop: (ids: readonly string[]) => void;
  readonly currentUrl: () => string | null;
  /** Returns the cookies by which sites know the browser, if `copyPage` is given them. Rejects if it does not answer. */
  readonly cookies: () => Promise<readonly Cookie[]>;
  /** The loader id of the current page: a new one with each navigation that commits; null without a page. */
  readonly currentDocument: () => string | null;
  /** Resolves when it is gone, asked or not. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
};

/** The data of a page from which `export` builds its formats. */
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
