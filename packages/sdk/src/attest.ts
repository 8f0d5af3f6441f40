import { randomBytes } from 'node:crypto';
import type { policy } from '@countersign/attestation/policy';
import { type Step, type Verdict, verdictOf } from '@countersign/audit-log/verify/report';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import type { Answer } from '@countersign/service/client';
import type { z } from 'zod';

/**
 * Which enclave may have your secrets: one whose quote is signed by its hardware's vendor, that runs a program which
 * you name in `measurements` (hex by name, as `countersign attest verify` names them).
 */
export type Trust = z.input<typeof policy> & {
  /** Also one without hardware. Anybody can be that one: for a system on your own machine. */
  readonly simulated?: boolean;
};

/** The enclave's report, and the result of verifying it. */
export type Attested = {
  readonly report: Attestation;
  /** `simulated`: all is consistent, and no hardware vouches for it. */
  readonly verdict: Verdict;
  readonly steps: readonly Step[];
};

/** The enclave is not one that may have your secrets; nothing was sent to it. */
export type NotAttested = {
  readonly kind: 'failed';
  readonly asked: string;
  readonly why: 'not-attested';
  readonly because: string;
};

/** An answer for which the enclave must have been attested first. */
export type SealedAnswer<T, Code extends string> = Answer<T, Code> | NotAttested;

type AskReport<Code extends string> = (input: {
  query: { nonce: string };
}) => Promise<Answer<Attestation, Code>>;

/** The enclave behind an API, as a stranger who trusts the API with nothing sees it. */
export type Enclave<Code extends string> = {
  /** Asks for a report with a new nonce and checks it: signatures up to the vendor's root, both keys, nonce, program. */
  readonly attest: () => Promise<Answer<Attested, Code>>;
  /** The key to seal to. The first report that is good holds for the life of this client. */
  readonly sealKey: () => Promise<SealedAnswer<string, Code>>;
};

export function enclaveBehind<Code extends string>(ask: AskReport<Code>, trust: Trust = {}): Enclave<Code> {
  const { simulated = false, ...accepted } = trust;
  const attest = async (): Promise<Answer<Attested, Code>> => {
    const nonce = randomBytes(32).toString('hex');
    const answer = await ask({ query: { nonce } });
    return answer.kind === 'ok' ? { ...answer, data: await check(answer.data, nonce, accepted) } : answer;
  };
  let key: string | null = null;
  return {
    attest,
    async sealKey() {
      const asked = 'GET attestation report';
      if (key !== null) return { kind: 'ok', asked, data: key };
      const answer = await attest();
      if (answer.kind !== 'ok') return answer;
      const because = whyNot(answer.data, simulated);
      if (because !== null) return { kind: 'failed', asked, why: 'not-attested', because };
      key = answer.data.report.sealPublicKey;
      return { kind: 'ok', asked, data: key };
    },
  };
}

async function check(
  report: Attestation,
  nonce: string,
  accepted: z.input<typeof policy>,
): Promise<Attested> {
  // Certificates and quotes of three vendors: only who seals waits for them.
  const [{ readSubject }, { verifyAttestation }, { policy }, { vendorRoots }] = await Promise.all([
    import('@countersign/attestation/subject'),
    import('@countersign/attestation/verify'),
    import('@countersign/attestation/policy'),
    import('@countersign/attestation/roots'),
  ]);
  const subject = readSubject(Buffer.from(JSON.stringify(report)), {
    collateral: null,
    certificates: [],
    crls: [],
  });
  if (!subject.ok) return { report, verdict: 'bad', steps: [{ outcome: 'fails', what: subject.error }] };
  const expected = { roots: vendorRoots(), policy: policy.parse(accepted), nonce, now: new Date() };
  const found = verifyAttestation(subject.value, expected);
  return { report, verdict: verdictOf(found), steps: found.steps };
}

/** Null when it may have secrets. */
function whyNot({ verdict, steps }: Attested, simulated: boolean): string | null {
  switch (verdict) {
    case 'good':
      return null;
    case 'simulated':
      return simulated
        ? null
        : 'its TEE is simulated; set { simulated: true } in `trust` if that is acceptable';
    case 'bad':
    case 'incomplete':
      return (
        steps.find(({ outcome }) => outcome === (verdict === 'bad' ? 'fails' : 'missing'))?.what ?? verdict
      );
  }
}
