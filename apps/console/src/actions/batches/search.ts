export type BatchesSearch = { readonly page?: number };

export const readBatchesSearch = ({ page }: Record<string, unknown>): BatchesSearch =>
  Number.isSafeInteger(Number(page)) && Number(page) >= 2 ? { page: Number(page) } : {};
