/**
 * Returns the path under which the dashboard forwards to this deployment's control plane, as it wrote it into
 * the page; null if there is none.
 */
export const controlPath = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="countersign-control"]')?.content || null;
