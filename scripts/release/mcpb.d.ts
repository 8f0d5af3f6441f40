export function stageBundle(stages: string): Promise<string>;
export function packBundle(
  folder: string,
  into: string,
): Promise<{ readonly name: string; readonly file: string; readonly bytes: number; readonly sha256: string }>;
