import type { Requirement } from '../requirement.ts';

const source = 'issue 18, Bad input; decision 0042';

/** An account whose wallet is lost, and the address that was named to recover it. */
export const dashboardRecoveryRequirements = [
  {
    id: 'dashboard.recovery.naming',
    source,
    behaviour:
      'POST /api/recovery/address names who may recover the account; the first counts at once, each later one, a removal too, after RECOVERY_CHANGE_DAYS. GET /api/recovery tells what counts, what is under way, and which accounts name this wallet.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.change-objected',
    source,
    behaviour:
      'Until a change counts, the address that is named now and the account’s wallet can each end it by a signature (POST /api/recovery/objections); from then on, and for everybody else, it is 404, 80000011.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.signed',
    source,
    behaviour:
      'Each statement is EIP-712 in the domain Countersign Recovery, signed by the wallet whose session it is, with a nonce of /api/auth/nonce, and counts once. Anything else is 403, 80000004, whatever session sends it.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.vectors',
    source,
    behaviour:
      'The three statements are made and read byte for byte as docs/spec/vectors/signatures.json has them.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.elsewhere',
    source,
    behaviour:
      'With one sign-in, closing an account ends what its holder and people hold in vault and control plane, and what they gave to agents there.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.whom',
    source,
    behaviour:
      'The account’s own wallet, one that is or was an agent’s, the zero address and the wallet of a closed account are not named: 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.contract',
    source,
    behaviour:
      'A recovery address and a lost wallet can be contracts: their statements are judged by ERC-1271 and ERC-6492.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.erasure',
    source,
    behaviour: 'An erasure of personal data leaves the recovery address as it is.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.seen',
    source,
    behaviour:
      'All people of an account read how its recovery stands and are told of changes by the event recovery; none but the wallet’s holder acts on it.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.objected',
    source,
    behaviour:
      'The old wallet can object until the very end of RECOVERY_DELAY_HOURS, and not from it on. After an objection the next claim is 409, 80000003 until RECOVERY_CHANGE_DAYS are over.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.withdrawn',
    source,
    behaviour:
      'Whoever claimed withdraws it and may claim again at once. A claim ends a change that is under way, and no change is asked for while it is open.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.denied',
    source,
    behaviour:
      'A wallet on the deny list names nobody, claims nothing and objects to nothing (403, 80000004); its objections before hold nobody up, and a claim of one that is on the list at the end of the delay closes nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.closed',
    source,
    behaviour:
      'At the end of the delay the account is closed: its wallet and people log in no more (401, 80000019); sessions, API keys (401, 80000040), mandates (404, 80000053), unused approvals (400, 80000054), agents, clients and invitations end, and vault and control plane are told that everybody left.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.goes-on',
    source,
    behaviour:
      'The account that recovered another exports its records (POST /api/recovery/records) without identities, sign-ins and sessions, and signs its agents’ wallets anew where these consent; nobody else does either.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.open-approvals',
    source,
    behaviour:
      'What an agent’s wallet waits for when another account takes the agent over ends in that transaction: expired (400, 80000054), with the reason as rejectReason, and told to who listens.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.circle',
    source,
    behaviour:
      'Two accounts may name each other: the first to be closed recovers nobody any more. Who recovers an account gets what it had recovered.',
    status: 'tested',
  },
  {
    id: 'dashboard.recovery.whole',
    source,
    behaviour:
      'Closing happens whole or not at all: what a killed process began is as if it never was, and the next one does it, once.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.recovery',
    source,
    behaviour:
      'In Settings a holder names a recovery address, stops what is under way, recovers an account that names them and downloads its records; every page says what is under way.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
