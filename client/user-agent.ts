/** Name and version of the package, for the logs of whoever is asked for help. */
export const USER_AGENT = 'malipo-client/0.1.0'
