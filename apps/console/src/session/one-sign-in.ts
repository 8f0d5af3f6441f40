/**
 * Returns whether the session here opens vault and control plane as well, as the dashboard wrote it into the
 * page.
 */
export const hasOneSignIn = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="countersign-one-sign-in"]')?.content === 'yes';

/** Returns the initial state of sign-in at another service, if there is one. */
export const atFirst = (place: string | null): 'asking' | 'none' =>
  place !== null && hasOneSignIn() ? 'asking' : 'none';
