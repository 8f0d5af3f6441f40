import type { Debian, Node, Npm } from './contents.js';

type Image = {
  readonly image: string;
  readonly version: string;
  /** `sha256:…` */
  readonly digest: string;
  /** Seconds. */
  readonly epoch: number;
  readonly debian: readonly Debian[];
  readonly npm: readonly Npm[];
  readonly node: Node;
  readonly integrities: ReadonlyMap<string, string>;
};

export function sbomOf(image: Image): string;
export function whyInvalid(text: string): Promise<unknown>;
