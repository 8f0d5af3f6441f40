import type { Authority } from './authority.ts';

/** What is other than in plain collateral. */
export type CollateralChange = {
  readonly status?: string;
  /** TDX versions of the newest level; a level of zeros, out of date, follows then. */
  readonly tdxSvn?: readonly number[];
  readonly modules?: readonly ModuleWanted[];
  /** Of the quoting enclave. */
  readonly enclave?: string;
  readonly revoked?: readonly Authority[];
  readonly from?: Date;
  readonly to?: Date;
  readonly signer?: Authority;
  readonly crlIssuer?: Authority;
};

type ModuleWanted = {
  readonly id: string;
  readonly mrsigner?: string;
  /** Newest first: version and status. */
  readonly levels: readonly (readonly [isvsvn: number, status: string])[];
};

export const qeSigner = Buffer.alloc(32, 0x8c);

type TextOf = (tee: 'sgx' | 'tdx', from: Date, to: Date, changed: CollateralChange) => string;

/** TCB info, version 3. */
export const tcbInfoText: TextOf = (tee, from, to, changed) => {
  const { modules = [] } = changed;
  const tdx = {
    tdxModule: moduleIdentity(),
    tdxModuleIdentities: modules.map(({ id, mrsigner, levels }) => ({
      id,
      ...moduleIdentity(mrsigner),
      tcbLevels: levels.map(([isvsvn, tcbStatus]) => ({
        tcb: { isvsvn },
        tcbDate: seconds(from),
        tcbStatus,
        advisoryIDs: tcbStatus === 'UpToDate' ? [] : ['INTEL-SA-00002'],
      })),
    })),
  };
  return JSON.stringify({
    id: tee.toUpperCase(),
    version: 3,
    issueDate: seconds(from),
    nextUpdate: seconds(to),
    fmspc: '00906ed50000',
    pceId: '0000',
    tcbType: 0,
    tcbEvaluationDataNumber: 1,
    ...(tee === 'tdx' && tdx),
    tcbLevels: levelsOf(tee, from, changed),
  });
};

function levelsOf(tee: 'sgx' | 'tdx', from: Date, { status = 'UpToDate', tdxSvn = [] }: CollateralChange) {
  const level = (versions: readonly number[], tcbStatus: string) => ({
    tcb: {
      sgxtcbcomponents: components([]),
      pcesvn: 0,
      ...(tee === 'tdx' && { tdxtcbcomponents: components(versions) }),
    },
    tcbDate: seconds(from),
    tcbStatus,
    advisoryIDs: ['INTEL-SA-00001'],
  });
  return [level(tdxSvn, status), ...(tdxSvn.length > 0 ? [level([], 'OutOfDate')] : [])];
}

/** Identity of the quoting enclave, version 2. */
export const identityText: TextOf = (tee, from, to, { enclave = 'UpToDate' }) =>
  JSON.stringify({
    id: tee === 'tdx' ? 'TD_QE' : 'QE',
    version: 2,
    issueDate: seconds(from),
    nextUpdate: seconds(to),
    tcbEvaluationDataNumber: 1,
    miscselect: '00000000',
    miscselectMask: 'FFFFFFFF',
    attributes: '00'.repeat(16),
    attributesMask: 'FF'.repeat(16),
    mrsigner: qeSigner.toString('hex'),
    isvprodid: 0,
    tcbLevels: [{ tcb: { isvsvn: 0 }, tcbDate: seconds(from), tcbStatus: enclave }],
  });

const components = (versions: readonly number[]) =>
  Array.from({ length: 16 }, (_, i) => ({ svn: versions[i] ?? 0 }));

const moduleIdentity = (mrsigner = '00'.repeat(48)) => ({
  mrsigner,
  attributes: '00'.repeat(8),
  attributesMask: 'FF'.repeat(8),
});

const seconds = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;
