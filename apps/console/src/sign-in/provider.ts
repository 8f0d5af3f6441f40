/** What the button to the provider says, as the dashboard wrote it into the page; null where there is none. */
export const providerName = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="countersign-provider"]')?.content || null;
