/**
 * Returns the label of the provider's button, as the dashboard wrote it into the page; null if there is no
 * provider.
 */
export const providerName = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="countersign-provider"]')?.content || null;
