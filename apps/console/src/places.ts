/** Every page's first path segment. The server answers these with the console, and everything else as an API would. */
export const places = {
  overview: '/',
  signIn: '/sign-in',
  agents: '/agents',
  mandates: '/mandates',
  transactions: '/transactions',
  approvals: '/approvals',
  actions: '/actions',
  compliance: '/compliance',
  keys: '/keys',
  people: '/people',
  join: '/join',
  settings: '/settings',
  vault: '/vault',
  connect: '/connect',
} as const;

/** Those that one goes to; a client or an invitation leads to the others. */
export type Place = Exclude<(typeof places)[keyof typeof places], '/connect' | '/join'>;
