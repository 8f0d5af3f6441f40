import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60_000);
const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

let dashboard: OwnDashboard;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sdn-'));
  dashboard = await startOwnDashboard();
});
afterAll(async () => {
  await dashboard?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const listDateOf = (date: Date): string => date.toISOString().slice(0, 10);
const [year, month, day] = listDateOf(daysAgo(1)).split('-');

/** An entry of SDN.XML, as long as they are; every seventieth has an address of an EVM chain. */
const entry = (n: number, address: string | null) => `
  <sdnEntry><uid>${n}</uid><firstName>GIVEN</firstName><lastName>FAMILY ${n}</lastName><sdnType>Individual</sdnType>
    <programList><program>SDGT</program><program>RUSSIA-EO14024</program></programList>
    <idList><id><uid>${n}1</uid><idType>Passport</idType><idNumber>A1234567</idNumber><idCountry>Iran</idCountry></id>
      ${address === null ? '' : `<id><uid>${n}2</uid><idType>Digital Currency Address - ETH</idType><idNumber>${address}</idNumber></id>`}
    </idList>
    <akaList><aka><uid>${n}3</uid><type>a.k.a.</type><category>strong</category><lastName>ALIAS ${n}</lastName></aka></akaList>
    <addressList><address><uid>${n}4</uid><city>Somewhere</city><country>Nowhere</country></address></addressList>
  </sdnEntry>`;

/** SDN.XML of so many bytes at least, with its addresses. */
async function writeList(path: string, bytes: number, listed: string): Promise<number> {
  const file = createWriteStream(path);
  file.write('<?xml version="1.0" standalone="yes"?>\n<sdnList xmlns="http://tempuri.org/sdnList.xsd">');
  file.write(`<publshInformation><Publish_Date>${month}/${day}/${year}</Publish_Date></publshInformation>`);
  let addresses = 0;
  for (let n = 0; file.bytesWritten + file.writableLength < bytes; n++) {
    const address = n % 70 === 0 ? newAddress() : null;
    addresses += address === null ? 0 : 1;
    if (!file.write(entry(n, address))) await once(file, 'drain');
  }
  file.end(`${entry(1, listed)}</sdnList>`);
  await once(file, 'close');
  return addresses + 1;
}

const advanced = (date: Date, addresses: readonly string[]) => {
  const [y, m, d] = listDateOf(date).split('-').map(Number);
  const features = addresses.map(
    (address) =>
      `<Feature ID="2" FeatureTypeID="345"><FeatureVersion><VersionDetail>${address}</VersionDetail></FeatureVersion></Feature>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<Sanctions><DateOfIssue CalendarTypeID="1"><Year>${y}</Year><Month>${m}</Month><Day>${d}</Day></DateOfIssue>
<ReferenceValueSets><FeatureTypeValues><FeatureType ID="345">Digital Currency Address - ETH</FeatureType></FeatureTypeValues></ReferenceValueSets>
<DistinctParties><DistinctParty><Profile>${features.join('')}</Profile></DistinctParty></DistinctParties></Sanctions>`;
};

test('a list of more than 7 days is taken, and told to be of no use: screening still does not answer [dashboard.kyt.import]', async () => {
  const path = join(folder, 'old.xml');
  writeFileSync(path, advanced(daysAgo(8), [newAddress()]));
  expect(await dashboard.decisionAbout(newAddress())).toBe(500);
  expect(await dashboard.run(['compliance', 'import', path])).toEqual({
    code: 0,
    stdout: `imported 1 addresses (ofac-sdn, ${listDateOf(daysAgo(8))})\n`,
    stderr: 'compliance import: this list is more than 7 days old, so screening does not use it\n',
  });
  expect(await dashboard.decisionAbout(newAddress())).toBe(500);
});

test('60 MB of SDN.XML are imported with a heap that they would not fit into [dashboard.kyt.import]', async () => {
  const path = join(folder, 'sdn.xml');
  const listed = newAddress();
  const addresses = await writeList(path, 60 * 1024 * 1024, listed);
  const { code, stdout, stderr } = await dashboard.run(['compliance', 'import', path], {
    NODE_OPTIONS: '--max-old-space-size=48',
  });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `imported ${addresses} addresses (ofac-sdn, ${listDateOf(daysAgo(1))})\n`,
  });
  expect(stderr.replaceAll(/compliance import: read \d+\.\d of \d+\.\d MB\n/g, '')).toBe('');
  expect(await dashboard.decisionAbout(listed)).toBe('reject');
  expect(await dashboard.decisionAbout(newAddress())).toBe('pass');
});

test('a list comes from a URL too, and whoever waits longer than a second is told how far it is [dashboard.kyt.import]', async () => {
  const listed = newAddress();
  const text = advanced(daysAgo(0), [listed]);
  const half = Math.floor(text.length / 2);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': String(text.length) });
    response.write(text.slice(0, half));
    setTimeout(() => response.end(text.slice(half)), 1_200);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sdn_advanced.xml`;

  const { code, stdout, stderr } = await dashboard.run(['compliance', 'import', url]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `imported 1 addresses (ofac-sdn, ${listDateOf(daysAgo(0))})\n`,
  });
  expect(stderr).toMatch(/^compliance import: read \d+\.\d of \d+\.\d MB\n$/);
  expect(await dashboard.decisionAbout(listed)).toBe('reject');
});

test('a file that is cut off, or not there, is refused in one sentence, and the list in place stays [dashboard.kyt.import]', async () => {
  const missing = await dashboard.run(['compliance', 'import', join(folder, 'nowhere.xml')]);
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toMatch(/^countersign compliance import: ENOENT: [^\n]*\n$/);
  const path = join(folder, 'cut.xml');
  writeFileSync(path, advanced(daysAgo(0), [newAddress()]).slice(0, -20));
  const { code, stdout, stderr } = await dashboard.run(['compliance', 'import', path]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^countersign compliance import: .*not complete\n$/);
  expect(await dashboard.decisionAbout(newAddress())).toBe('pass');
});
