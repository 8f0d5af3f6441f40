export function limitsOf(page: string): ReadonlyMap<string, number>;
export function measured(
  packed: { readonly name: string; readonly bytes: number },
  limits: ReadonlyMap<string, number>,
): { readonly size: number; readonly limit: number; readonly isTooLarge: boolean };
