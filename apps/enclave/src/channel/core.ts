import type { Tee } from '@countersign/protocol/vault/audit-record';
import type { Heard, Question } from '@countersign/review/second-judge';
import type { ConnectorNews, ConnectorOrder } from './connectors.ts';
import type { BrowserNews, BrowserOrder } from './browsers.ts';
import type { Surroundings } from '../os/surroundings.ts';

/** The settings that the launcher sends the core once, when it starts. */
export type CoreSettings = {
  readonly tee: Tee['kind'];
  readonly origin: string;
  /** The file that runs. */
  readonly program: string;
  /** The sealing secret of a TEE that has none of its own; null when no file was named. */
  readonly rootKeyFile: string | null;
  /** The entry of `configfs-tsm` that the launcher made for the core; null when it made none. */
  readonly reportEntry: string | null;
  readonly logLevel: string;
  /** The last root on chain, in hex; null when there is none, or nobody to ask. */
  readonly anchored: { readonly size: number; readonly root: string } | null;
  /** Certificates in PEM that services of connectors are believed by too; null: the public ones alone. */
  readonly connectorCa: string | null;
  /** Whether the launcher can ask a second judge. */
  readonly hasSecondJudge: boolean;
  /** How many cores this launcher has started before. */
  readonly restarts: number;
  /** The launcher's user and namespaces, from which the core must differ. */
  readonly outside: Surroundings;
};

/** A question of the core to the second judge, which only the launcher can reach. */
export type JudgeAsked = { readonly id: number; readonly question: Question };
export type JudgeHeard = { readonly id: number; readonly heard: Heard };

/** From the launcher; with `connection` comes a socket, and with some news of browsers and connectors. */
export type ToCore =
  | { readonly begin: CoreSettings }
  /** Are you there? */
  | { readonly ping: true }
  | { readonly connection: number }
  | { readonly browser: BrowserNews }
  | { readonly connector: ConnectorNews }
  | { readonly judged: JudgeHeard };

/** `alive`: it could be loaded where it is; `ready`: it takes connections. */
export type FromCore =
  | { readonly alive: true }
  | { readonly ready: true }
  | { readonly pong: true }
  /** The connection of this number is its own now. */
  | { readonly took: number }
  | { readonly browser: BrowserOrder }
  | { readonly connector: ConnectorOrder }
  | { readonly judge: JudgeAsked };
