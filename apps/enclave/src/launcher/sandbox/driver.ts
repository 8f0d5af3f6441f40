import type { SandboxFacts } from '@countersign/protocol/control/execution';

/** One kind of sandbox. A driver returns how to start it; everything else is common to all kinds. */
export type SandboxDriver = {
  /** The ways to start the sandbox of this number, the strongest first, each made when it is tried. */
  readonly ways: (number: number) => readonly (() => Way)[];
};

export type Way = {
  readonly driver: SandboxFacts['driver'];
  readonly memory: SandboxFacts['memory_limit'];
  /** A program that speaks as a connector over its standard streams, until it is ended. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether it is refused where network and processes are not found to be its own. */
  readonly mustBeApart: boolean;
  /** Returns whether it was ended because its memory was used up. */
  readonly ranOut: () => boolean;
  /** Ends what does not end with the program, and removes what is left of it. */
  readonly remove: () => void;
};
