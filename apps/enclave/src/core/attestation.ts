import { hash } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import type { Isolation, SandboxAbout } from '@countersign/protocol/enclave/commands';
import { ok } from '@countersign/protocol/result';
import type { TeeProvider } from './tee/provider.ts';
import type { Handlers } from './serve.ts';

export type AttestationParts = {
  readonly tee: TeeProvider;
  /** Raw bytes in base64, as it is at the time. */
  readonly auditPublicKey: () => string;
  readonly sealPublicKey: () => string;
  readonly origin: string;
  readonly isolation: Isolation;
  readonly sandbox: () => SandboxAbout | null;
  readonly restarts: number;
  /** Unix milliseconds. */
  readonly now: () => number;
};

/** Who the enclave is, and how it proves that. */
export function attestationHandlers(parts: AttestationParts): Pick<Handlers, 'describe' | 'report'> {
  const { tee, origin, isolation, sandbox, restarts, now } = parts;
  return {
    describe: () =>
      ok({
        reply: {
          tee: { kind: tee.kind, trust: tee.hardware ? 'hardware' : 'simulated' },
          auditPublicKey: parts.auditPublicKey(),
          sealPublicKey: parts.sealPublicKey(),
          origin,
          isolation,
          sandbox: sandbox(),
          restarts,
        },
      }),
    report: async ({ nonce }) => {
      const [auditPublicKey, sealPublicKey] = [parts.auditPublicKey(), parts.sealPublicKey()];
      const reportData = hash('sha512', canonicalText({ auditPublicKey, nonce, sealPublicKey }), 'buffer');
      const [quote, measurements] = await Promise.all([tee.quote(reportData), tee.measurements()]);
      return ok({
        reply: {
          provider: tee.kind,
          hardware: tee.hardware,
          quote: quote.toString('base64'),
          reportData: reportData.toString('hex'),
          measurements: { ...measurements, isolation },
          auditPublicKey,
          sealPublicKey,
          nonce,
          createdAt: new Date(now()).toISOString(),
        },
      });
    },
  };
}
