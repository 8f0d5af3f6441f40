/**
 * Returns whether the session here opens vault and control plane as well, as the dashboard wrote it into the
 * page.
 */
export const hasOneSignIn = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="countersign-one-sign-in"]')?.content === 'yes';

/** How it stands with another part, where there is one, when somebody looks at it for the first time. */
export const atFirst = (place: string | null): 'asking' | 'none' =>
  place !== null && hasOneSignIn() ? 'asking' : 'none';
