import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const verifier = join(import.meta.dirname, 'audit_verify.py');

/** Standard input: lines of `{"file": base64, "keys": [KEY, …]}`; prints a line for each. */
const batch = `
import base64, json, sys
sys.path.insert(0, sys.argv[1])
from audit_verify import answer
for line in sys.stdin.buffer:
    given = json.loads(line)
    print(json.dumps(answer(lambda: base64.b64decode(given["file"]), given["keys"])))
`;

/** A Python 3 that has the package `cryptography`; null where there is none. */
export const python: string | null =
  ['python3', '/usr/bin/python3'].find(
    (command) => spawnSync(command, ['-c', 'import cryptography'], { stdio: 'ignore' }).status === 0,
  ) ?? null;

/** A file, and the keys that whoever checks it trusts. */
export type Given = { readonly file: Buffer; readonly keys: readonly string[] };

export type Said = {
  readonly verdict: string;
  readonly exitCode: number;
  readonly steps?: readonly object[];
};

/** What the verifier in Python says of many files, in their order: one process. */
export async function verifyAllByPython(given: readonly Given[]): Promise<readonly Said[]> {
  const child = spawn(python ?? 'python3', ['-B', '-c', batch, import.meta.dirname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(
    given.map(({ file, keys }) => `${JSON.stringify({ file: file.toString('base64'), keys })}\n`).join(''),
  );
  await ended;
  const lines = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Said);
}

/** The same of one file, as a person calls it. */
export function verifyByPython(
  file: string,
  ...options: readonly string[]
): Said & { status: number | null } {
  const { status, stdout } = spawnSync(python ?? 'python3', [verifier, file, ...options], {
    encoding: 'utf8',
  });
  return { ...(JSON.parse(stdout) as Said), status };
}
