/** Features of Chromium that are switched off, with what they would do. */
const withoutFeatures = [
  // Hides from the egress proxy to whom a connection goes.
  'EncryptedClientHello',
  // Speak to the browser's vendor.
  'AimEnabled',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'DialMediaRouteProvider',
  'OptimizationHints',
  'OptimizationGuideModelDownloading',
  'OptimizationGuideOnDeviceModel',
  'NetworkTimeServiceQuerying',
  'SafeBrowsingEnhancedProtection',
  'Translate',
  // Load pages that nobody opened.
  'Prerender2',
  'PrefetchProxy',
  'SpeculationRulesPrefetchFuture',
  'NavigationPredictor',
  'PreconnectToSearch',
  // Ask addresses that a page names (FedCM, digital credentials), and no `Fetch` of CDP hears of it.
  'FedCm',
  'FedCmAutofill',
  'FedCmButtonMode',
  'FedCmDelegation',
  'FedCmIdpRegistration',
  'FedCmIdPRegistration',
  'FedCmLightweightMode',
  'FedCmMetricsEndpoint',
  'FedCmMultipleIdentityProviders',
  'FedCmWithoutWellKnownEnforcement',
  'FedCmIdpSigninStatusEnabled',
  'WebIdentityDigitalCredentials',
  'WebIdentityDigitalCredentialsCreation',
  // Send when the page is gone.
  'FetchLaterAPI',
  'BackgroundFetch',
  'BackForwardCache',
  // A renderer in reserve, and a process for what is here not heard.
  'SpareRendererForSitePerProcess',
  'AudioServiceOutOfProcess',
  'GlobalMediaControls',
  'HttpsUpgrades',
];

/**
 * By rules that a page has for it (`speculationrules`), Chromium fetches what is only pointed at, and no `Fetch` of CDP hears of it: of
 * such requests none is under way at a time.
 */
const withoutSpeculation =
  '--enable-features=PrefetchMultipleActiveSetSizeLimitForBase:prefetch_multiple_active_set_size_limit_for_base_value/0';

const withoutBlinkFeatures = [
  // Text that Chromium's snapshots leave out: in pictures it could not be painted over.
  'CSSPseudoScrollButtons',
  'CSSPseudoScrollMarkers',
  'CSSPseudoColumn',
  // An address that ends in `#:~:text=4821` has Chromium scroll to that text and mark it: it would tell which guess is right.
  'TextFragmentIdentifiers',
];

/** Features by which a page shows, or answers, what no look at it tells of. */
export const withoutUntold = `--disable-blink-features=${withoutBlinkFeatures.join(',')}`;

/**
 * Of what changes in a page Chromium paints only the rectangle around it anew, and where that cuts an edge the blending rounds
 * otherwise: so pictures of one page differed by what had stood in it, and by how its changes fell into frames.
 */
export const withoutHistory = '--disable-partial-raster';

/** A name that is nobody's (RFC 2606), and that our Chromium is told not to find. */
const nowhere = 'nowhere.invalid';

/**
 * What our Chromium is told. Nothing here weakens its sandbox, its site isolation or its checks of certificates; what
 * asks of the network without a page is off, and names are for the proxy to resolve.
 */
export function chromiumFlags({ proxyPort, profile, sandbox }: FlagOptions): readonly string[] {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `--proxy-server=${proxy}`,
    // The loopback of the jail is no way round the proxy; what the browser asks of its vendor goes nowhere at all.
    `--proxy-bypass-list=<-loopback>;${nowhere}`,
    `--gaia-url=https://${nowhere}`,
    `--google-apis-url=https://${nowhere}`,
    `--google-base-url=https://${nowhere}`,
    `--gcm-checkin-url=https://${nowhere}`,
    `--gcm-registration-url=https://${nowhere}`,
    // What is asked for on demand is asked for even where components are not to be updated.
    `--component-updater=url-source=https://${nowhere}`,
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    `--disable-features=${withoutFeatures.join(',')}`,
    withoutUntold,
    withoutSpeculation,
    withoutHistory,
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-crash-reporter',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-field-trial-config',
    '--disable-notifications',
    '--disable-prompt-on-repost',
    '--disable-remote-playback-api',
    '--disable-search-engine-choice-screen',
    '--disable-speech-api',
    '--disable-sync',
    '--deny-permission-prompts',
    '--metrics-recording-only',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-pings',
    '--no-service-autorun',
    '--noerrdialogs',
    '--mute-audio',
    '--password-store=basic',
    '--disable-gpu',
    '--disable-3d-apis',
    '--disable-software-rasterizer',
    '--disk-cache-size=16777216',
    '--media-cache-size=1048576',
    ...(sandbox ? [] : ['--no-sandbox']),
    'about:blank',
  ];
}

export type FlagOptions = {
  /** On 127.0.0.1, inside the jail. */
  readonly proxyPort: number;
  /** An empty folder of the browser's user. */
  readonly profile: string;
  /** False only where nothing else runs, and that is told. */
  readonly sandbox: boolean;
};
