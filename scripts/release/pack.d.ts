export function pack(
  folder: string,
  into: string,
): Promise<{
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}>;
export function check(name: string, folder: string, path: string): void;
