import type { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { tellNotJudged } from '@countersign/audit-log/verify/not-judged';
import { exitCodes, fails, verdictOf } from '@countersign/audit-log/verify/report';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Arguments, help, readArguments } from './arguments.ts';
import { readCertificates } from './certificates.ts';
import { type Crl, readCrl } from './crl.ts';
import { type Policy, policy } from './policy.ts';
import { type AttestationReport, attestationJson, attestationText } from './report.ts';
import { vendorRoots } from './roots.ts';
import { readSubject } from './subject.ts';
import { verifyAttestation } from './verify.ts';

/** `countersign attest verify`: its exit code is the verdict. */
export async function main(argv: readonly string[]): Promise<void> {
  const refuse = (why: string) => tellNotJudged('attest verify', `${why}.`, argv);
  const asked = readArguments(argv);
  if (!asked.ok) return refuse(`${asked.error}. Try "countersign attest verify --help"`);
  if (asked.value === 'help') {
    process.stdout.write(help);
    return;
  }
  const given = await readInputs(asked.value);
  if (!given.ok) return refuse(given.error);
  const report = judge(given.value, asked.value);
  process.stdout.write(asked.value.json ? attestationJson(report) : attestationText(report));
  process.exitCode = exitCodes[verdictOf(report)];
}

type Inputs = {
  readonly bytes: Buffer;
  readonly policy: Policy;
  readonly collateral: unknown;
  readonly certificates: readonly X509Certificate[];
  readonly crls: readonly Crl[];
};

function judge({ bytes, policy, ...endorsements }: Inputs, { nonce, at }: Arguments): AttestationReport {
  const subject = readSubject(bytes, endorsements);
  if (!subject.ok)
    return { kind: 'evidence', evidence: null, steps: [fails(subject.error)], isSimulated: false };
  const now = at ?? new Date();
  return verifyAttestation(subject.value, { roots: vendorRoots(), policy, nonce, now });
}

async function readInputs(asked: Arguments): Promise<Result<Inputs, string>> {
  const policy = await readPolicy(asked);
  if (!policy.ok) return policy;
  const collateral = asked.collateralFile === null ? ok(null) : await readJson(asked.collateralFile);
  if (!collateral.ok) return collateral;
  const certificates = await readChains(asked.chainFiles);
  if (!certificates.ok) return certificates;
  const crls = await readCrls(asked.crlFiles);
  if (!crls.ok) return crls;
  const bytes = /^https?:\/\//.test(asked.source)
    ? await download(asked.source, asked.nonce)
    : await readBounded(asked.source);
  return bytes.ok
    ? ok({
        bytes: bytes.value,
        policy: policy.value,
        collateral: collateral.value,
        certificates: certificates.value,
        crls: crls.value,
      })
    : bytes;
}

async function readPolicy({ policyFile, measurements }: Arguments): Promise<Result<Policy, string>> {
  const json = policyFile === null ? ok({}) : await readJson(policyFile);
  if (!json.ok) return json;
  const parsed = policy.safeParse(json.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return fail(`the policy is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  }
  const merged: Record<string, string[]> = { ...parsed.data.measurements };
  for (const [name, value] of measurements) merged[name] = [...(merged[name] ?? []), value];
  return ok({ ...parsed.data, measurements: merged });
}

async function readJson(file: string): Promise<Result<unknown, string>> {
  const bytes = await readBounded(file);
  if (!bytes.ok) return bytes;
  try {
    return ok(JSON.parse(bytes.value.toString('utf8')) as unknown);
  } catch {
    return fail(`${file} is not JSON`);
  }
}

async function readChains(files: readonly string[]): Promise<Result<readonly X509Certificate[], string>> {
  const certificates: X509Certificate[] = [];
  for (const file of files) {
    const bytes = await readBounded(file);
    if (!bytes.ok) return bytes;
    const found = readCertificates(bytes.value);
    if (found === null) return fail(`${file} contains no certificates`);
    certificates.push(...found);
  }
  return ok(certificates);
}

async function readCrls(files: readonly string[]): Promise<Result<readonly Crl[], string>> {
  const crls: Crl[] = [];
  for (const file of files) {
    const bytes = await readBounded(file);
    if (!bytes.ok) return bytes;
    const crl = readCrl(bytes.value);
    if (crl === null) return fail(`${file} is not a revocation list in DER`);
    crls.push(crl);
  }
  return ok(crls);
}

/** Evidence has kilobytes; an export of the audit log, whose last line holds a report, may have more. */
const maxBytes = 64 * 2 ** 20;
const tooLong = `longer than ${maxBytes / 2 ** 20} MiB, which no evidence is`;

async function readBounded(file: string): Promise<Result<Buffer, string>> {
  if (file === '-') return readStream(process.stdin, 'standard input');
  try {
    const { size } = await stat(file);
    return size > maxBytes ? fail(`${file} is ${tooLong}`) : ok(await readFile(file));
  } catch (error) {
    return fail(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const timeoutMs = 10_000;

async function download(source: string, nonce: string | null): Promise<Result<Buffer, string>> {
  const url = new URL(source);
  if (nonce !== null && !url.searchParams.has('nonce')) url.searchParams.set('nonce', nonce);
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) return fail(`${url.origin} answered ${response.status}`);
    return await readStream(response.body ?? [], 'the answer');
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return fail(`${url.origin} cannot be asked: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

async function readStream(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
): Promise<Result<Buffer, string>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) return fail(`${name} is ${tooLong}`);
    chunks.push(chunk);
  }
  return ok(Buffer.concat(chunks));
}
