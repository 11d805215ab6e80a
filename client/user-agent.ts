/** Name and version of the package, for the logs of the support team. */
export const USER_AGENT = 'malipo-client/0.2.0'
