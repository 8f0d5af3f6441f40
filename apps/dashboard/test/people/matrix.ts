import type { Role } from '@countersign/protocol/dashboard/roles';
import type { SessionRoute } from '@countersign/protocol/dashboard/routes';

/**
 * Who may call each route, written by hand from decision 0034 and read from nothing of the product: an invited owner
 * (o), admin (a), operator (p), approver (v), merchant (m), auditor (u). What has no letter is the wallet's holder's.
 */
const letters: Readonly<Record<SessionRoute, string>> = {
  me: 'oapvmu',
  logout: 'oapvmu',
  listSessions: 'oapvmu',
  revokeSession: 'oapvmu',
  events: 'oapvmu',

  getOverview: 'oavu',
  listTransactions: 'oapvmu',
  sumTransactions: 'oapvmu',
  getTransaction: 'oapvmu',

  listMandates: 'oavu',
  createMandate: 'oa',
  prepareSign: 'oa',
  updateMandate: 'oa',
  renewMandate: 'oa',
  revokeMandate: 'oa',
  deleteMandate: 'oa',
  signMandate: 'o',
  adjustMandate: 'o',
  setMandatePolicy: 'o',

  listAgents: 'oavu',
  prepareAgent: 'oa',
  revokeAgent: 'oa',
  signAgent: 'o',

  listApprovals: 'oavu',
  approvalArguments: 'oavu',
  approveApproval: 'oav',
  rejectApproval: 'oav',

  listAlerts: 'oavu',
  markAlertsSeen: 'oav',

  listKeys: 'oau',
  createKey: 'oa',
  rollKey: 'oa',
  revokeKey: 'oa',

  listConnections: 'oau',
  connectionRequest: 'oa',
  connectClient: 'oa',
  refuseClient: 'oa',
  disconnectClient: 'oa',

  listPeople: 'oau',
  listInvitations: 'oau',
  listChanges: 'oau',
  invitePerson: 'oa',
  revokeInvitation: 'oa',
  changeRoles: 'oa',
  removePerson: 'oa',
  renewSignIn: 'o',
  listShutOut: 'oau',
  letBackIn: 'o',

  complianceProviders: 'oapvmu',
  screen: 'oapm',
  kycStatus: 'oapmu',
  submitKyc: '',
  beginKyc: '',
  ownBusiness: 'oapmu',
  submitBusiness: '',
  addBusinessFile: '',
  personalData: 'oau',
  exportPersonalData: '',
  erasePersonalData: '',

  getRecovery: 'oapvmu',
  nameRecovery: '',
  recoverAccount: '',
  objectToRecovery: '',
  recoveredRecords: '',

  listDenyList: 'oapu',
  listWithdrawals: 'oapu',
  listComplianceHistory: 'oapu',
  payeeName: 'oapvmu',
  listPayees: 'oapu',
  listPayeeReviews: 'oapu',
  getPayee: 'oapu',
  payeeOfAddress: 'oapu',
  createPayee: 'op',
  importPayees: 'op',
  changePayee: 'op',
  admitPayee: 'op',
  withdrawPayee: 'op',
  checkPayeeDomain: 'op',
  turnPayeeAway: 'op',
  addPayeeFile: 'op',
  getPayeeFile: 'op',
  erasePayeeFile: 'op',
  listBusinesses: 'op',
  getBusiness: 'op',
  checkBusinessDomain: 'op',
  decideBusiness: 'op',
  checkPayee: 'op',
  checkBusiness: 'op',
  readCheck: 'op',
  getBusinessFile: 'op',
  listKycReviews: 'op',
  decideKycReview: 'op',
  addToDenyList: 'op',
  removeFromDenyList: 'op',
  withdrawKyc: 'op',
  restoreKyc: 'op',
  retractFirstWord: 'op',
};

const letterOf: Readonly<Record<Role, string>> = {
  owner: 'o',
  admin: 'a',
  operator: 'p',
  approver: 'v',
  merchant: 'm',
  auditor: 'u',
};

/** Returns whether an invited person of this role may call the route, as decision 0034 says. */
export const shouldCall = (route: SessionRoute, role: Role): boolean =>
  letters[route].includes(letterOf[role]);
