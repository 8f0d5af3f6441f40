import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeLocalCa } from '@countersign/local/local-ca';
import { loadShopCustomer } from '@countersign/local/keys';
import { runStory, type StoryCard } from '@countersign/local/story/story';
import { sayWhy } from '@countersign/service/lifecycle';
import { byChart } from './chart.ts';
import { readCompose, replicasOf } from './compose.ts';
import { Deployment, type Release } from './deployment.ts';
import { type Machine, startMachine } from './machine.ts';
import { podmanOf } from './podman.ts';
import { cardOf, importList, makeUsers, setUp } from './set-up.ts';
import { keepCalling } from './traffic.ts';

type Options = {
  readonly storage?: string;
  readonly tag?: string;
  readonly from?: string;
  readonly chart?: boolean;
};

type Up = { readonly card: StoryCard; readonly tell: Tell };
type Tell = (what: string) => Promise<boolean>;

const [phase, dir = '', options = '{}'] = process.argv.slice(2);
if (phase === 'prepare') makeLocalCa(dir, new Date());
else process.exit((await rehearse(dir, JSON.parse(options) as Options)) ? 0 : 1);

async function rehearse(dir: string, options: Options): Promise<boolean> {
  const root = execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' }).trim();
  const [first, then] = releasesOf(root, dir, options);
  const known: { addresses: () => Readonly<Record<string, readonly string[]>> } = { addresses: () => ({}) };
  const haproxy = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8');
  const machine = await startMachine(dir, haproxy, () => known.addresses());
  const podman = podmanOf(storageOf(options), `rehearsal-${process.pid}`, join(root, 'deploy'));
  const deployment = new Deployment(first, machine.env, podman);
  known.addresses = () => deployment.addresses();
  try {
    await importList(deployment);
    await deployment.start(['enclave', 'dashboard', 'vault', 'control-plane']);
    await makeUsers(dir, deployment);
    if (then !== null && options.chart !== true) await deployment.upgrade(then);
    const { card, tell } = await bringUp(dir, machine, deployment);
    const good =
      options.chart === true
        ? [await tell(`on ${first.tag}`), await whileCalled(deployment, then ?? first, card)]
        : [await tell(then === null ? `on ${first.tag}` : `on ${then.tag}, with the data of ${first.tag}`)];
    if (options.chart === true) good.push(await tell('after everything was replaced'));
    else good.push(await withOneKilled(deployment, tell));
    if (good.includes(false)) await deployment.showLogs();
    good.push(await deployment.stopAll(), options.chart !== true || wasWell(deployment));
    return !good.includes(false);
  } catch (error) {
    say(`rehearse: ${sayWhy(error)}`);
    await deployment.showLogs();
    return false;
  } finally {
    await podman.removeAll();
    await machine.stop();
  }
}

/** What it begins with, and what it upgrades to, if to anything. */
function releasesOf(root: string, dir: string, options: Options): readonly [Release, Release | null] {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { tag = version, from, chart } = options;
  if (chart === true)
    return from === undefined
      ? [byChart(root, tag, dir), null]
      : [byChart(root, from, dir), byChart(root, tag, dir)];
  const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
  const here = byCompose(tag, text);
  return from === undefined ? [here, null] : [byCompose(from, text), here];
}

/** Podman's options about where images are. */
function storageOf({ storage }: Options): readonly string[] {
  if (storage === undefined) return [];
  return ['--root', join(storage, 'root'), '--runroot', join(storage, 'run'), '--storage-driver', 'overlay'];
}

/** Gives what runs the story against it all, and tells how that went. */
async function bringUp(dir: string, machine: Machine, deployment: Deployment): Promise<Up> {
  machine.startBalancer();
  await deployment.untilBalanced([4021, 4022, 4023].map((port) => `https://127.0.0.1:${port}/ready`));
  const made = await setUp(dir, machine, deployment);
  deployment.env = { ...deployment.env, COMPLIANCE_API_KEY: made.owner.apiKey };
  await deployment.start(['gateway-1', 'gateway-2']);
  await deployment.untilBalanced(['https://127.0.0.1:4020/health']);
  const shop = { url: machine.shopUrl, customer: loadShopCustomer(dir) };
  const card = { ...cardOf(machine, made), shop };
  const tell: Tell = async (what) => {
    const wentWell = await runStory({ card, print: say });
    say(`rehearse: the story ${what}: ${wentWell ? 'went as it should' : 'DID NOT go as it should'}`);
    return wentWell;
  };
  return { card, tell };
}

/** Replaces everything while agents call and pay; none may be without its answer. */
async function whileCalled(deployment: Deployment, next: Release, card: StoryCard): Promise<boolean> {
  const traffic = await keepCalling(card);
  const inTime = await deployment.roll(next);
  const { free, paid, lost } = await traffic.stop();
  say(`rehearse: meanwhile ${free} free calls and ${paid} payments were answered, ${lost.length} not`);
  for (const line of lost) say(`rehearse: lost: ${line}`);
  return inTime && lost.length === 0 && paid > 0;
}

/** What the probes said all the time. */
function wasWell({ kubelet: { tally } }: Deployment): boolean {
  say(
    `rehearse: ${tally.asked} probes, ${tally.unanswered} without their answer; restarted: ${tally.restarts.join(', ') || 'none'}`,
  );
  return tally.restarts.length === 0 && tally.asked > 0;
}

async function withOneKilled(deployment: Deployment, tell: Tell): Promise<boolean> {
  await deployment.killOneOfEach();
  const wentWell = await tell('with one of each killed a moment before');
  await deployment.revive();
  return wentWell;
}

function byCompose(tag: string, text: string): Release {
  const images = {
    COUNTERSIGN_IMAGE: `countersign:${tag}`,
    COUNTERSIGN_ENCLAVE_IMAGE: `countersign-enclave:${tag}`,
  };
  return { tag, replicas: (env) => replicasOf(readCompose(text, { ...env, ...images })) };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
