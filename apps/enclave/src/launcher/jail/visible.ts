/**
 * The host paths that a browser needs: programs, libraries, fonts, TLS roots. None of them holds anybody's
 * data.
 */
export const systemFiles: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/opt',
  '/nix/store',
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/opt',
  '/etc/pki/tls',
  '/etc/ssl/certs',
];
