// Exit code 0 when what answers at the given address is well: `node deploy/probe.js ADDRESS`. An address is an http or https
// URL that answers 200, or the path of a Unix socket that takes connections.
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { connect } from 'node:net';

const [address = ''] = process.argv.slice(2);
const end = (isWell) => process.exit(isWell ? 0 : 1);
setTimeout(end, 4000, false);

if (address.startsWith('/')) connect(address, () => end(true)).on('error', () => end(false));
else {
  const get = address.startsWith('https:') ? getHttps : getHttp;
  // It asks this very container: whose certificate that is, its clients check.
  get(address, { rejectUnauthorized: false }, ({ statusCode }) => end(statusCode === 200)).on('error', () =>
    end(false),
  );
}
