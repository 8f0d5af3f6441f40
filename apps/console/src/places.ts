/** Every page's first path segment. The server answers these with the console, and everything else as an API would. */
export const places = {
  overview: '/',
  signIn: '/sign-in',
  mandates: '/mandates',
  transactions: '/transactions',
  approvals: '/approvals',
  actions: '/actions',
  compliance: '/compliance',
  keys: '/keys',
  settings: '/settings',
  vault: '/vault',
} as const;

export type Place = (typeof places)[keyof typeof places];
