import { expect, test } from 'vitest';
import { outcomeOf } from '../broker/outcome.ts';
import { SentRequests } from '../broker/sent.ts';
import { problemOf } from '../broker/problem.ts';
import { conclude } from './conclude.ts';
import type { Run } from './connector.ts';
import type { Said } from './converse.ts';

/** What was sent: whether it acts, and the status of its answer, negative where that is not whole, null where there is none. */
type Request = readonly [acts: boolean, status: number | null];

function sentOf(requests: readonly Request[]): SentRequests {
  const sent = new SentRequests();
  for (const [acts, answer] of requests) {
    const hear = sent.add({ acts, isAction: true });
    if (answer === null) continue;
    const [status, isWhole] = [Math.abs(answer), answer > 0];
    hear({ status, outcome: outcomeOf({ status, isWhole, isDocumented: false }) });
  }
  return sent;
}

const data = { said: 1 };
const completed: Said = { end: 'completed', data };
const refused: Said = { end: 'target_error', data };
const unclear: Said = { end: 'target_unclear', data };
const crashed: Said = { problem: problemOf('connector_crashed') };
const lying: Said = { problem: problemOf('invalid_params') };

test.each<[Run['type'], readonly Request[], Said, string, string?]>([
  ['http', [[true, 200]], completed, 'completed'],
  ['http', [[true, 200]], refused, 'completed'],
  ['http', [[true, 422]], completed, 'failed', 'target_error'],
  ['http', [[true, 308]], completed, 'failed', 'not_followed'],
  ['http', [[true, 500]], completed, 'unknown', 'outcome_unknown'],
  ['http', [[true, 500]], refused, 'unknown', 'outcome_unknown'],
  ['http', [[false, 500]], completed, 'failed', 'target_error'],
  // One that was taken over.
  ['http', [], completed, 'failed', 'connector_crashed'],
  ['http', [[true, 200]], lying, 'unknown', 'invalid_params'],
  ['http', [[true, 500], [true, 200]], completed, 'unknown', 'outcome_unknown'], // biome-ignore format: a row
  ['http', [[true, 200], [true, 422]], completed, 'unknown', 'outcome_unknown'], // biome-ignore format: a row
  ['http', [[true, 422], [true, 200]], completed, 'completed'], // biome-ignore format: a row
  // One that died, or whose time was up.
  ['http', [], crashed, 'failed', 'connector_crashed'],
  ['http', [[true, null]], crashed, 'unknown', 'connector_crashed'],
  ['http', [[true, 200]], crashed, 'unknown', 'connector_crashed'],
  ['http', [[true, -200]], crashed, 'unknown', 'connector_crashed'],
  ['http', [[true, -422]], crashed, 'failed', 'target_error'],
  ['http', [[true, -308]], crashed, 'failed', 'not_followed'],
  ['http', [[false, null]], crashed, 'failed', 'connector_crashed'],
  ['mcp-tool', [[true, 200]], completed, 'completed'],
  ['mcp-tool', [[true, 200]], refused, 'failed', 'target_error'],
  ['mcp-tool', [[true, 200]], unclear, 'unknown', 'outcome_unknown'],
  ['mcp-tool', [[false, 200]], unclear, 'failed', 'target_error'],
  ['mcp-tool', [[true, 503]], refused, 'unknown', 'outcome_unknown'],
  ['mcp-tool', [[true, 401]], refused, 'failed', 'target_error'],
  ['mcp-tool', [], refused, 'failed', 'target_error'],
  ['mcp-tool', [], completed, 'failed', 'connector_crashed'],
])('%s: after %j what is said as %j is %s %s [control-plane.execution.outcome]', (...row) => {
  const [type, requests, said, ended, code] = row;
  const concluded = conclude(said, sentOf(requests), type);
  expect(concluded).toMatchObject({ ended, ...(code !== undefined && { problem: { code } }) });
});

const [done, notDone] = [
  { status: null, outcome: { status: null, means: 'done' } },
  { status: null, outcome: { status: null, means: 'not_done', code: 'target_error' } },
] as const;
test.each<[acts: boolean, (typeof done | typeof notDone)[], Said, string, string?]>([
  [true, [done], completed, 'completed'],
  [true, [notDone], refused, 'failed', 'target_error'],
  [true, [], refused, 'unknown', 'outcome_unknown'],
  [true, [], crashed, 'unknown', 'connector_crashed'],
  [false, [], refused, 'failed', 'target_error'],
  // One that was taken over.
  [true, [notDone], completed, 'failed', 'target_error'],
  [true, [], completed, 'unknown', 'outcome_unknown'],
  [true, [done], refused, 'completed'],
  [true, [done], lying, 'unknown', 'invalid_params'],
])(
  'of a database (acts: %j) that answers %j what is said as %j is %s %s',
  (acts, answers, said, ended, code) => {
    const sent = new SentRequests();
    const hear = sent.add({ acts, isAction: true });
    for (const came of answers) hear(came);
    const concluded = conclude(said, sent, 'postgres');
    expect(concluded).toMatchObject({ ended, ...(code !== undefined && { problem: { code } }) });
  },
);

test('a database that was asked nothing did nothing', () => {
  for (const said of [completed, crashed])
    expect(conclude(said, new SentRequests(), 'postgres')).toMatchObject({
      ended: 'failed',
      problem: { code: 'connector_crashed' },
    });
});
