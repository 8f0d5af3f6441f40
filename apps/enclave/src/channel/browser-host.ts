import type { Socket } from 'node:net';
import type { SandboxAbout } from '@countersign/protocol/enclave/commands';
import type { Result } from '@countersign/protocol/result';
import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';

/** Makes browsers for the core, which itself can start no program and has no network. */
export type BrowserHost = {
  /** A browser of its own, kept apart, whose only way out is to what `allowedUrls` names. A refusal is a sentence. */
  readonly start: (request: BrowserRequest) => Promise<Result<StartedBrowser, string>>;
  /** Returns the properties of the last browser; null before the first. */
  readonly about: () => SandboxAbout | null;
};

export type BrowserRequest = { readonly sessionId: string; readonly allowedUrls: readonly string[] };

/** A connection that the egress proxy did not make. */
export type Refused = { readonly host: string; readonly port: number };

export type BrowserEnd = 'closed' | 'crashed' | 'out_of_memory';

export type StartedBrowser = {
  /** The debugging pipe (CDP, messages end with a zero byte): straight to the browser, nobody between. */
  readonly toBrowser: Socket;
  readonly fromBrowser: Socket;
  readonly isolation: SandboxIsolation;
  /** Connections that the egress proxy refused, as they come. */
  readonly onRefused: (hear: (refused: Refused) => void) => void;
  /** Resolves when every process of it is gone and its profile is removed. */
  readonly ended: Promise<BrowserEnd>;
  /** Ends the whole tree. */
  readonly stop: () => Promise<void>;
};
