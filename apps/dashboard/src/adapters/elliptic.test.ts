import { expect, test } from 'vitest';
import { ellipticSignature } from './elliptic.ts';

// The two examples of Elliptic's authentication cookbook.
const secret = '894f142d667e8cdaca6822ac173937af';
const time = 1478692862000;
const body = JSON.stringify([
  {
    customer_reference: '123456',
    subject: {
      asset: 'BTC',
      hash: 'accf5c09cc027339a3beb2e28104ce9f406ecbbd29775b4a1a17ba213f1e035e',
      output_address: '15Hm2UEPaEuiAmgyNgd5mF3wugqLsYs3Wn',
      output_type: 'address',
      type: 'transaction',
    },
    type: 'source_of_funds',
  },
]);

test('a request is signed as in the vendor’s examples', () => {
  expect(ellipticSignature(secret, { time, method: 'POST', path: '/v2/analyses', body })).toBe(
    '65mQHB2o95lL3I+N/bZYwDC9p2YvNwsVDnXr8u72hUk=',
  );
  expect(ellipticSignature(secret, { time, method: 'GET', path: '/v2/customers', body: '{}' })).toBe(
    'cN9fRUqeT7UnwwpkBZaNmnwxKAPHkhytdXelfUVvxMI=',
  );
});

test('the path is signed in lower case, its query too', () => {
  const signed = (path: string) => ellipticSignature(secret, { time, method: 'GET', path, body: '{}' });
  expect(signed('/V2/Customers?Page=1')).toBe(signed('/v2/customers?page=1'));
});
