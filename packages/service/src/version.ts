/** The version of this build, as it is told to clients and services. */
export const version = '0.1.0';
