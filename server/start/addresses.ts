import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** Where others will reach us, as far as it is known before we listen: PORT=0 is not a port yet. */
export const plannedUrl = ({ publicBaseUrl, host, port }: Config): string =>
  publicBaseUrl ?? `http://${hostInUrl(host)}:${port}`

/** Where the server itself listens. */
export const listeningUrl = (app: FastifyInstance, host: string): string =>
  `http://${hostInUrl(host)}:${(app.server.address() as AddressInfo).port}`

/** The host name that reaches us from this machine. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Where browsers reach the sign-in. `localhost` and not its address: passkeys are bound to a name. */
export function adminUrl({ adminBaseUrl, adminPort, port }: Config, listeningPort?: number): string {
  const planned = adminPort === 'next' || adminPort === undefined ? port + 1 : adminPort
  return adminBaseUrl ?? `http://localhost:${listeningPort ?? planned}`
}
