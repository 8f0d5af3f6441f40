import type { Tee } from '@countersign/protocol/vault/audit-record';

/** The trusted execution environment, as the enclave uses it. */
export type TeeProvider = {
  readonly kind: Tee['kind'];
  /** False only when no hardware vouches for anything. */
  readonly hardware: boolean;
  /** Evidence over exactly 64 bytes, as the vendor's verifiers read it. Rejects when the machine gives none. */
  readonly quote: (reportData: Uint8Array) => Promise<Buffer>;
  /**
   * What runs, as the environment measured it: names and lower-case hex. Beside them stands what a verifier needs more
   * than the quote: `collateral` and `eventLog` as JSON text, `certificates` in base64.
   */
  readonly measurements: () => Promise<Readonly<Record<string, string>>>;
  /**
   * 32 bytes under which secrets are kept on disk: the same at every start of this program on this machine, and no
   * other program's. The caller wipes them.
   */
  readonly sealingSecret: () => Promise<Buffer>;
};

export type TeeOptions = {
  /** The enclave's own directory. */
  readonly dir: string;
  /** The file that runs. */
  readonly program: string;
  /** The file with the sealing secret, where the hardware has none of its own; null when none was named. */
  readonly rootKeyFile?: string | null;
  /** An entry of `configfs-tsm` that is there already; null when the provider has to make its own. */
  readonly reportEntry?: string | null;
};
