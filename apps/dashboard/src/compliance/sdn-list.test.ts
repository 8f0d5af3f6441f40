import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSdnList } from './sdn-list.ts';

const listed = '0x7F367cC41522cE07553e823bf3be79A889DEbe1B';
const other = '0x8589427373D6D84E98730D7795D8f6f8731FDA16';

const plain = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://tempuri.org/sdnList.xsd">
  <publshInformation><Publish_Date>08/20/2026</Publish_Date><Record_Count>2</Record_Count></publshInformation>
  <!-- <idList><id><idType>Digital Currency Address - ETH</idType><idNumber>${other}</idNumber></id></idList> -->
  <sdnEntry><uid>1</uid><lastName>A &amp; B</lastName><remarks note="a > b"/>
    <idList>
      <id><uid>1</uid><idType>Passport</idType><idNumber>0x0000000000000000000000000000000000000001</idNumber></id>
      <id><uid>2</uid><idType>Digital Currency Address - XBT</idType><idNumber>12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h</idNumber></id>
      <id><uid>3</uid><idType>Digital Currency Address - ETH</idType><idNumber>
        ${listed.toUpperCase().replace('0X', '0x')} </idNumber></id>
      <id><uid>4</uid><idType>Digital Currency Address - USDT</idType><idNumber><![CDATA[${listed}]]></idNumber></id>
      <id><uid>5</uid><idNumber>0x0000000000000000000000000000000000000002</idNumber></id>
    </idList>
  </sdnEntry>
</sdnList>
`;

const advanced = `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ADVANCED_XML" Version="1">
  <DateOfIssue CalendarTypeID="1"><Year>2026</Year><Month>8</Month><Day>20</Day></DateOfIssue>
  <ReferenceValueSets><FeatureTypeValues>
    <FeatureType ID="8" FeatureTypeGroupID="1">Birthdate</FeatureType>
    <FeatureType ID="345" FeatureTypeGroupID="1">Digital Currency Address - ETH</FeatureType>
  </FeatureTypeValues></ReferenceValueSets>
  <DistinctParties><DistinctParty><Profile>
    <Feature ID="1" FeatureTypeID="8"><FeatureVersion><VersionDetail>0x0000000000000000000000000000000000000001</VersionDetail></FeatureVersion></Feature>
    <Feature ID="2" FeatureTypeID="345"><FeatureVersion ReliabilityID="1"><Comment /><VersionDetail DetailTypeID="1432">${listed}</VersionDetail></FeatureVersion></Feature>
    <Feature ID="3" FeatureTypeID="8"><x:DateOfIssue xmlns:x="y"><Year>1999</Year><Month>1</Month><Day>1</Day></x:DateOfIssue></Feature>
  </Profile></DistinctParty></DistinctParties>
</Sanctions>`;

async function* inPieces(text: string, size: number): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = (text: string, size = 64 * 1024) => readSdnList(inPieces(text, size));

const expected = { publishedAt: new Date('2026-08-20T00:00:00.000Z'), addresses: new Set([listed]) };

test('SDN.XML gives its date and every EVM address of any currency, once, checksummed', async () => {
  expect(await read(plain)).toEqual(expected);
});

test('sdn_advanced.xml gives the same', async () => {
  expect(await read(advanced)).toEqual(expected);
});

test('it does not matter where the pieces of a file end', async () => {
  const size = fc.integer({ min: 1, max: 700 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(plain, advanced), size, async (text, pieces) => {
      expect(await read(text, pieces)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('a file that is cut off anywhere is refused', async () => {
  const whole = plain.trimEnd();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
      await expect(read(whole.slice(0, length))).rejects.toThrow(Error);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', /neither SDN.XML nor/],
  ['definitions of entities', '<!DOCTYPE sdnList [<!ENTITY a "b">]><sdnList></sdnList>', /definitions/],
  ['elements that cross', '<sdnList><a><b></a></b></sdnList>', /not open/],
  ['two documents', '<sdnList></sdnList><sdnList></sdnList>', /not well-formed/],
  ['JSON', '{"addresses":[]}', /not complete/],
  ['nothing', '', /not complete/],
])('refused: %s', async (_, text, why) => {
  await expect(read(text)).rejects.toThrow(why);
});

test('a tag without end does not fill the memory', async () => {
  async function* endless() {
    yield Buffer.from('<sdnList a="');
    for (let i = 0; i < 100; i++) yield Buffer.alloc(64 * 1024, 'x');
  }
  await expect(readSdnList(endless())).rejects.toThrow('is not closed');
});

test('a date that does not exist is no date', async () => {
  expect((await read(plain.replace('08/20/2026', '02/30/2026'))).publishedAt).toBeNull();
});

test('the demonstration list has its one address, and no date, so that it cannot pass for an official one', async () => {
  const file = join(import.meta.dirname, '../../demo/sanctions-demo.xml');
  const { publishedAt, addresses } = await readSdnList(createReadStream(file));
  expect(publishedAt).toBeNull();
  expect([...addresses].map((address) => address.toLowerCase())).toEqual([
    '0x00000000000000000000000000000000000bad01',
  ]);
});
