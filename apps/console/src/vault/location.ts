/** Below it the dashboard hands on what the vault is asked by whoever is signed in to the console. */
export const relayedUnder = '/relay/vault';

/** Origin of this deployment's vault, as the dashboard wrote it into the page; null where there is none. */
export const vaultUrl = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="countersign-vault"]')?.content || null;
