import { countersign } from '@countersign/local/countersign';
import { get } from '@countersign/local/service-process';
import { freePort } from '@countersign/service/free-port';
import { ownedProcesses } from '@countersign/service/owned-process';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../gateway/fixtures/until.ts';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

let dashboard: OwnDashboard;
beforeAll(async () => {
  dashboard = await startOwnDashboard();
});
afterAll(() => dashboard?.stop());

/** Another process on the same database. */
async function startSibling() {
  const url = `http://127.0.0.1:${await freePort()}`;
  const processes = await ownedProcesses();
  onTestFinished(() => processes.stopAll());
  const child = processes.spawn({
    name: 'sibling',
    ...countersign('dashboard'),
    env: {
      PATH: process.env['PATH'],
      DASHBOARD_DATA_DIR: dashboard.dir,
      DASHBOARD_PORT: new URL(url).port,
      LOG_LEVEL: 'error',
    },
    ipc: true,
  });
  await until(
    () => get(`${url}/health`),
    (answer) => answer?.status === 200,
  );
  return { url, child };
}

const draft = { title: 'Research agent', perTxLimit: '1', totalBudget: '20', validDays: 30 };

/** An open stream: resolves with all that came, once it has ended. */
async function follow(url: string): Promise<{ readonly ended: Promise<string> }> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${dashboard.token}` },
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  return { ended: response.text().catch(() => '') };
}

test('what a process commits as it is killed reaches who looks on at another: told, or read anew [dashboard.events.crash]', async () => {
  const sibling = await startSibling();
  const stream = await follow(dashboard.url);
  // The answer comes after the commit; whether its notice is out by now nobody knows.
  const made = await fetch(`${sibling.url}/api/mandates/intent/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${dashboard.token}` },
    body: JSON.stringify(draft),
  });
  process.kill(sibling.child.pid, 'SIGKILL');
  expect(made.status).toBe(200);
  await stream.ended;
  // Who comes again is served, and finds what was done.
  await follow(dashboard.url);
  const listed = await dashboard.client.listMandates({ token: dashboard.token, body: {} });
  expect(listed).toMatchObject({ kind: 'ok', data: { total: 1 } });
});
