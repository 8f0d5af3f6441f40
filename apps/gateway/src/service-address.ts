/** The names that an owner may give a service. */
export const serviceIdPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** False for a host with letters of other scripts: they can look like those of the host that is meant. */
export const isHostSafe = ({ hostname }: URL): boolean => !/(^|\.)xn--/.test(hostname);
