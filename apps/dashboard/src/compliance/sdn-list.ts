import { type Address, parseAddress } from '@countersign/protocol/address';
import { attributeOf, createXmlScanner, type XmlHandler } from './xml-scanner.ts';

/** The parts of a list of sanctioned persons that we use. */
export type SdnList = {
  /** The day of its publication, as UTC midnight; null when the file tells none. */
  readonly publishedAt: Date | null;
  /** Addresses on any chain: an EVM address is the same on all. */
  readonly addresses: ReadonlySet<Address>;
};

/**
 * Reads OFAC's list in either of its XML forms, `SDN.XML` and `sdn_advanced.xml`. Throws when it is neither, not
 * well formed or cut off: a part of a list would pass those who stand in the rest.
 */
export async function readSdnList(chunks: AsyncIterable<Uint8Array>): Promise<SdnList> {
  const found = new Found();
  const scanner = createXmlScanner(elementReader(found));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) scanner.write(decoder.decode(chunk, { stream: true }));
  scanner.write(decoder.decode());
  scanner.end();
  return found;
}

class Found implements SdnList {
  readonly addresses = new Set<Address>();
  publishedAt: Date | null = null;

  take(value: string): void {
    // A copy: a slice would keep the whole piece of the file alive that it was cut from.
    const text = Buffer.from(value.trim()).toString();
    // Lower-cased first: the list does not promise the checksum's case.
    const address = parseAddress(text.toLowerCase());
    if (address !== null) this.addresses.add(address);
  }
}

/** The handlers of one of the two formats: at the start of an element, and at its end with its text. */
type Form = {
  readonly open: (name: string, attributes: string) => void;
  readonly close: (name: string, text: string, depth: number) => void;
};

function elementReader(found: Found): XmlHandler {
  let form: Form | null = null;
  let depth = 0;
  let text = '';
  return {
    open(name, attributes) {
      if (depth === 0) form = formOf(name, found);
      depth += 1;
      text = '';
      form?.open(name, attributes);
    },
    text(piece) {
      text += piece;
    },
    close(name) {
      depth -= 1;
      form?.close(name, text.trim(), depth);
      text = '';
    },
  };
}

function formOf(root: string, found: Found): Form {
  if (root === 'sdnList') return plainForm(found);
  if (root === 'Sanctions') return advancedForm(found);
  throw new Error('this is neither SDN.XML nor sdn_advanced.xml');
}

const currencyAddress = /^Digital Currency Address/i;

/** `<id><idType>Digital Currency Address - ETH</idType><idNumber>0x…</idNumber></id>` */
function plainForm(found: Found): Form {
  let idType = '';
  return {
    open(name) {
      if (name === 'id') idType = '';
    },
    close(name, text) {
      if (name === 'idType') idType = text;
      else if (name === 'idNumber' && currencyAddress.test(idType)) found.take(text);
      else if (name === 'Publish_Date') {
        const [, month = '', day = '', year = ''] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
        found.publishedAt ??= readDay(year, month, day);
      }
    },
  };
}

/**
 * `<FeatureType ID="345">Digital Currency Address - ETH</FeatureType>` first, and later
 * `<Feature FeatureTypeID="345"><FeatureVersion><VersionDetail>0x…</VersionDetail></FeatureVersion></Feature>`
 */
function advancedForm(found: Found): Form {
  const currencyTypes = new Set<string>();
  let featureTypeId = '';
  let isCurrencyFeature = false;
  let day: Record<string, string> = {};
  return {
    open(name, attributes) {
      if (name === 'FeatureType') featureTypeId = attributeOf(attributes, 'ID') ?? '';
      else if (name === 'Feature')
        isCurrencyFeature = currencyTypes.has(attributeOf(attributes, 'FeatureTypeID') ?? '');
      else if (name === 'DateOfIssue') day = {};
    },
    close(name, text, depth) {
      if (name === 'FeatureType' && currencyAddress.test(text)) currencyTypes.add(featureTypeId);
      else if (name === 'VersionDetail' && isCurrencyFeature) found.take(text);
      else if (name === 'Year' || name === 'Month' || name === 'Day') day[name] = text;
      // Other dates of issue, of passports for instance, lie deeper.
      else if (name === 'DateOfIssue' && depth === 1) {
        found.publishedAt ??= readDay(day['Year'], day['Month'], day['Day']);
      }
    },
  };
}

/** Null for what is no day of the calendar. */
function readDay(year?: string, month?: string, day?: string): Date | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const date = new Date(Date.UTC(y, m - 1, d));
  return y >= 2000 && date.getUTCMonth() === m - 1 && date.getUTCDate() === d ? date : null;
}
