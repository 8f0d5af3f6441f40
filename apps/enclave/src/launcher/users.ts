/** Numbers of users that no distribution gives away and that run nothing else; the core's own is 61013. */
export const egressUid = 61_014;
const [firstBrowserUid, browserUids] = [61_020, 160];
const [firstConnectorUid, connectorUids] = [61_200, 160];

/** A user for the browser of a jail; the next one is another. */
export const browserUid = (jail: number): number => firstBrowserUid + (jail % browserUids);

export const isBrowserUid = (uid: number): boolean =>
  uid >= firstBrowserUid && uid < firstBrowserUid + browserUids;

/** A user for a connector; the next one is another. */
export const connectorUid = (sandbox: number): number => firstConnectorUid + (sandbox % connectorUids);
