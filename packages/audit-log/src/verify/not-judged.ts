import { asciiJson } from './ascii-json.ts';
import { wrongCall } from './report.ts';

/**
 * Nothing was judged, since the call is wrong or what it names cannot be read. A line on standard error; for programs that asked for
 * JSON, which read standard output, a line of it there: {verdict: "none", exitCode, error}.
 */
export function tellNotJudged(command: string, why: string, argv: readonly string[]): void {
  process.exitCode = wrongCall;
  if (argv.includes('--json'))
    process.stdout.write(`${asciiJson({ verdict: 'none', exitCode: wrongCall, error: why })}\n`);
  else process.stderr.write(`${command}: ${why}\n`);
}
