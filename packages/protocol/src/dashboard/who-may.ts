import { isNoHigherElsewhere } from './elsewhere.ts';
import type { Role, Standing } from './roles.ts';
import type { SessionRoute } from './routes.ts';

/**
 * Who of an account's people may call a route, beside owners. `own`: it concerns nobody but the caller. Whoever calls
 * what `changes` is put on record first. `holder`: the wallet's holder alone, an invited owner neither.
 */
type Rule = {
  readonly kind: 'own' | 'reads' | 'changes';
  readonly who: readonly Role[] | 'holder';
};

const everybody = ['admin', 'operator', 'approver', 'merchant', 'auditor'] as const;
const own = { kind: 'own', who: everybody } as const;
const reads = <const W extends Rule['who']>(who: W) => ({ kind: 'reads', who }) as const;
const changes = <const W extends Rule['who']>(who: W) => ({ kind: 'changes', who }) as const;

const [ownersOnly, managers] = [[], ['admin']] as const;
const approvers = ['admin', 'approver'] as const;
const readers = ['admin', 'approver', 'auditor'] as const;

/** The one table of what a session of each role may do. A route that is not here is a type error. */
export const whoMay = {
  me: own,
  logout: own,
  listSessions: own,
  revokeSession: own,
  events: own,

  getOverview: reads(readers),
  listTransactions: reads(everybody),
  sumTransactions: reads(everybody),
  getTransaction: reads(everybody),

  listMandates: reads(readers),
  createMandate: changes(managers),
  prepareSign: changes(managers),
  updateMandate: changes(managers),
  renewMandate: changes(managers),
  revokeMandate: changes(managers),
  deleteMandate: changes(managers),
  // What a mandate allows is raised by these.
  signMandate: changes(ownersOnly),
  adjustMandate: changes(ownersOnly),
  setMandatePolicy: changes(ownersOnly),

  listAgents: reads(readers),
  prepareAgent: changes(managers),
  revokeAgent: changes(managers),
  signAgent: changes(ownersOnly),

  listApprovals: reads(readers),
  approvalArguments: reads(readers),
  // The wallet's signature comes with it, whoever brings it.
  approveApproval: changes(approvers),
  rejectApproval: changes(approvers),

  listAlerts: reads(readers),
  markAlertsSeen: changes(approvers),

  listKeys: reads(['admin', 'auditor']),
  createKey: changes(managers),
  rollKey: changes(managers),
  revokeKey: changes(managers),

  listConnections: reads(['admin', 'auditor']),
  connectionRequest: reads(managers),
  connectClient: changes(managers),
  refuseClient: changes(managers),
  disconnectClient: changes(managers),

  listPeople: reads(['admin', 'auditor']),
  listInvitations: reads(['admin', 'auditor']),
  listChanges: reads(['admin', 'auditor']),
  invitePerson: changes(managers),
  revokeInvitation: changes(managers),
  changeRoles: changes(managers),
  removePerson: changes(managers),
  renewSignIn: changes(ownersOnly),
  listShutOut: reads(['admin', 'auditor']),
  letBackIn: changes(ownersOnly),

  complianceProviders: reads(everybody),
  screen: changes(['admin', 'operator', 'merchant']),
  kycStatus: reads(['admin', 'operator', 'merchant', 'auditor']),
  submitKyc: changes('holder'),
  beginKyc: changes('holder'),
  ownBusiness: reads(['admin', 'operator', 'merchant', 'auditor']),
  submitBusiness: changes('holder'),
  addBusinessFile: changes('holder'),
  personalData: reads(['admin', 'auditor']),
  exportPersonalData: reads('holder'),
  erasePersonalData: changes('holder'),

  // Each with the wallet’s signature: a session that is left on a lost phone does none of it.
  getRecovery: reads(everybody),
  nameRecovery: changes('holder'),
  recoverAccount: changes('holder'),
  objectToRecovery: changes('holder'),
  recoveredRecords: reads('holder'),

  // Operators' rooms; whether the account is an operator's is looked at besides.
  listDenyList: reads(['admin', 'operator', 'auditor']),
  listWithdrawals: reads(['admin', 'operator', 'auditor']),
  listComplianceHistory: reads(['admin', 'operator', 'auditor']),
  payeeName: reads(everybody),
  listPayees: reads(['admin', 'operator', 'auditor']),
  listPayeeReviews: reads(['admin', 'operator', 'auditor']),
  getPayee: reads(['admin', 'operator', 'auditor']),
  payeeOfAddress: reads(['admin', 'operator', 'auditor']),
  createPayee: changes(['operator']),
  importPayees: changes(['operator']),
  changePayee: changes(['operator']),
  admitPayee: changes(['operator']),
  withdrawPayee: changes(['operator']),
  checkPayeeDomain: changes(['operator']),
  turnPayeeAway: changes(['operator']),
  addPayeeFile: changes(['operator']),
  erasePayeeFile: changes(['operator']),
  // Documents of strangers: whoever decides about them, and nobody else.
  getPayeeFile: reads(['operator']),
  listBusinesses: reads(['operator']),
  getBusiness: reads(['operator']),
  checkBusinessDomain: changes(['operator']),
  decideBusiness: changes(['operator']),
  checkPayee: changes(['operator']),
  checkBusiness: changes(['operator']),
  readCheck: changes(['operator']),
  getBusinessFile: reads(['operator']),
  listKycReviews: reads(['operator']),
  decideKycReview: changes(['operator']),
  addToDenyList: changes(['operator']),
  removeFromDenyList: changes(['operator']),
  withdrawKyc: changes(['operator']),
  restoreKyc: changes(['operator']),
  retractFirstWord: changes(['operator']),
} as const satisfies Readonly<Record<SessionRoute, Rule>>;

const rules: Readonly<Record<SessionRoute, Rule>> = whoMay;

/** Returns whether somebody of this standing may call the route. */
export function mayCall(route: SessionRoute, { roles, holder }: Standing): boolean {
  const { who } = rules[route];
  if (who === 'holder') return holder;
  return roles.some((role) => role === 'owner' || who.includes(role));
}

/** The roles that may call the route. */
export const rolesFor = (route: SessionRoute): readonly Role[] => {
  const { who } = rules[route];
  return who === 'holder' ? ['owner'] : ['owner', ...who];
};

/** Returns whether a call of the route is put on record. */
export const isChange = (route: SessionRoute): boolean => rules[route].kind === 'changes';

/** Returns whether somebody of this standing may change nothing at all. */
export const changesNothing = (standing: Standing): boolean =>
  (Object.keys(rules) as SessionRoute[]).every((route) => !isChange(route) || !mayCall(route, standing));

/** The rule is of a session, whose account may be an operator's: who of its people sees what is everybody's. */
export const seesEverybodys = ({ roles }: Pick<Standing, 'roles'>): boolean =>
  roles.some((role) => role !== 'approver' && role !== 'merchant');

/**
 * Returns whether somebody with these roles can do nothing that `than` cannot. Nobody gives a role away that
 * is higher.
 */
export function isNoHigher(given: readonly Role[], than: readonly Role[]): boolean {
  const [one, other] = [
    { roles: given, holder: false },
    { roles: than, holder: false },
  ];
  const all = Object.keys(rules) as SessionRoute[];
  const sees = !seesEverybodys(one) || seesEverybodys(other);
  if (!sees || !isNoHigherElsewhere(given, than)) return false;
  return all.every((route) => !mayCall(route, one) || mayCall(route, other));
}
