import { verify, type X509Certificate } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { fails, holds, missing, type Step, step, told } from '@countersign/audit-log/verify/report';
import { chainProblem, nameOf, notValidAt, readCertificate } from '../certificates.ts';
import type { Evidence, Finding } from '../evidence.ts';
import { type NitroDocument, readNitro } from './document.ts';

type NitroEvidence = Extract<Evidence, { kind: 'nitro' }>;

/** Checks a Nitro attestation document. `root` is the fingerprint of AWS's root certificate. */
export function verifyNitro({ document: bytes, around }: NitroEvidence, root: string, now: Date): Finding {
  const read = readNitro(bytes);
  if (!read.ok) return { steps: [fails(`the Nitro document cannot be read: ${read.error}`)], signed: null };
  const document = read.value;
  const { userData, nonce, moduleId, pcrs } = document;
  return {
    steps: [...signatureSteps(document, root, now), debugStep(document), ...aroundSteps(around)],
    signed: {
      reportData: userData,
      measurements: Object.fromEntries([...pcrs].map(([n, value]) => [`pcr${n}`, value.toString('hex')])),
      platform: moduleId,
      tcb: null,
      nonce: nonce?.toString('hex') ?? null,
      td: null,
      snp: null,
    },
  };
}

function signatureSteps(document: NitroDocument, root: string, now: Date): readonly Step[] {
  const chain = readChain(document, root);
  if (!chain.ok) return [fails(`the Nitro document cannot be trusted: ${chain.error}`)];
  const [leaf] = chain.value;
  if (leaf === undefined || !isSignedBy(leaf, document))
    return [fails('the Nitro document is not signed by its certificate')];
  const madeAt = document.at.toISOString();
  const early = notValidAt(chain.value, document.at);
  if (early !== null)
    return [fails(`${nameOf(early)} was not valid at ${madeAt}, when the document was made`)];
  const expired = notValidAt(chain.value, now);
  return [
    holds(`the Nitro document of ${madeAt} was signed by AWS’s hypervisor, up to AWS’s root`),
    expired === null
      ? holds('its certificates are valid at the time of this check')
      : missing(
          `${nameOf(expired)} is valid only from ${expired.validFrom} to ${expired.validTo}: ask for a new document, or check it as of its own time with --at ${madeAt}`,
        ),
  ];
}

function readChain(
  { certificate, cabundle }: NitroDocument,
  root: string,
): Result<readonly X509Certificate[], string> {
  const chain = [certificate, ...cabundle.toReversed()].map(readCertificate);
  if (!chain.every((one) => one !== null)) return fail('its certificates cannot be read');
  if (chain.at(-1)?.fingerprint256 !== root)
    return fail('its certificate chain does not start at AWS’s root');
  const problem = chainProblem(chain);
  return problem === null ? ok(chain) : fail(problem);
}

const isSignedBy = ({ publicKey }: X509Certificate, { signed, signature }: NitroDocument): boolean =>
  publicKey.asymmetricKeyDetails?.namedCurve === 'secp384r1' &&
  verify('sha384', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);

/** An enclave in debug mode has registers of zeros. */
const debugStep = ({ pcrs }: NitroDocument): Step =>
  step(
    pcrs.get(0)?.some((byte) => byte !== 0) === true,
    'it does not run in debug mode',
    'it runs in debug mode (PCR0 is zero): whoever owns the machine can read its console and what runs is not measured',
  );

const aroundSteps = (bytes: number): readonly Step[] =>
  bytes === 0
    ? []
    : [told(`${bytes} bytes around the document are signed by nobody, and were not looked at`)];
