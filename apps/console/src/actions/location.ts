/** Where the dashboard hands requests on to this deployment's control plane, as it wrote it into the page; null where there is none. */
export const controlPath = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="countersign-control"]')?.content || null;
