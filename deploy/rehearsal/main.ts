import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeLocalCa } from '@countersign/local/local-ca';
import { loadShopCustomer } from '@countersign/local/keys';
import { runStory } from '@countersign/local/story/story';
import { sayWhy } from '@countersign/service/lifecycle';
import { byChart } from './chart.ts';
import { readCompose, replicasOf } from './compose.ts';
import { Deployment, type Release } from './deployment.ts';
import { startMachine } from './machine.ts';
import { podmanOf } from './podman.ts';
import { cardOf, importList, setUp } from './set-up.ts';

type Options = {
  readonly storage?: string;
  readonly tag?: string;
  readonly from?: string;
  readonly 'from-commit'?: string;
  readonly chart?: boolean;
};

const [phase, dir = '', options = '{}'] = process.argv.slice(2);
if (phase === 'prepare') makeLocalCa(dir, new Date());
else process.exit((await rehearse(dir, JSON.parse(options) as Options)) ? 0 : 1);

async function rehearse(dir: string, { storage, tag, from, chart, 'from-commit': commit = 'HEAD' }: Options): Promise<boolean> {
  const root = execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' }).trim();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const here = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
  const now = chart === true ? byChart(root, tag ?? version, dir) : byCompose(tag ?? version, here);
  const composeOf = (at: string) => execFileSync('git', ['-C', root, 'show', `${at}:deploy/compose.yaml`], { encoding: 'utf8' });
  const first = from === undefined ? now : byCompose(from, composeOf(commit));
  const known: { addresses: Readonly<Record<string, readonly string[]>> } = { addresses: {} };
  const haproxy = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8');
  const machine = await startMachine(dir, haproxy, () => known.addresses);
  const all = storage === undefined ? [] : ['--root', join(storage, 'root'), '--runroot', join(storage, 'run'), '--storage-driver', 'overlay'];
  const podman = podmanOf(all, `rehearsal-${process.pid}`, join(root, 'deploy'));
  const deployment = new Deployment(first, machine.env, podman);
  known.addresses = deployment.addresses();
  try {
    await importList(deployment);
    await deployment.start(['enclave', 'dashboard', 'vault', 'control-plane']);
    machine.startBalancer();
    await deployment.untilBalanced([4021, 4022, 4023].map((port) => `https://127.0.0.1:${port}/ready`));
    const made = await setUp(dir, machine, deployment);
    deployment.env = { ...deployment.env, COMPLIANCE_API_KEY: made.owner.apiKey };
    await deployment.start(['gateway-1', 'gateway-2']);
    await deployment.untilBalanced(['https://127.0.0.1:4020/health']);
    const card = cardOf(machine, made);
    const tell = async (what: string) => {
      const shop = { url: machine.shopUrl, customer: loadShopCustomer(dir) };
      const wentWell = await runStory({ card: { ...card, shop }, print: say });
      say(`rehearse: the story ${what}: ${wentWell ? 'went as it should' : 'DID NOT go as it should'}`);
      return wentWell;
    };
    let good = await tell(`on ${first.tag}`);
    if (chart !== true) {
      await deployment.killOneOfEach();
      good = (await tell('with one of each killed a moment before')) && good;
      await deployment.revive();
    }
    if (first !== now) {
      await deployment.upgrade(now);
      good = (await tell(`on ${now.tag}, with the data of ${first.tag}`)) && good;
    }
    if (!good) await deployment.showLogs();
    return (await deployment.stopAll()) && good;
  } catch (error) {
    say(`rehearse: ${sayWhy(error)}`);
    await deployment.showLogs();
    return false;
  } finally {
    await podman.removeAll();
    await machine.stop();
  }
}

function byCompose(tag: string, text: string): Release {
  const images = { COUNTERSIGN_IMAGE: `countersign:${tag}`, COUNTERSIGN_ENCLAVE_IMAGE: `countersign-enclave:${tag}` };
  return { tag, replicas: (env) => replicasOf(readCompose(text, { ...env, ...images })) };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
