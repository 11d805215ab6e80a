import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Audience } from '../domain/people/audience.ts'

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

/** The settings of the listener of an audience. `offset`: which port after PORT `next` asks for. */
export const listenerOf = (config: Config, audience: Audience) =>
  audience === 'staff'
    ? { port: config.adminPort, host: config.adminHost, baseUrl: config.adminBaseUrl, offset: 1 }
    : { port: config.consolePort, host: config.consoleHost, baseUrl: config.consoleBaseUrl, offset: 2 }

/** Where browsers reach the sign-in. `localhost` and not its address: passkeys are bound to a name. */
export function signInUrl(config: Config, audience: Audience, listeningPort?: number): string {
  const { port, baseUrl, offset } = listenerOf(config, audience)
  const planned = typeof port === 'number' ? port : config.port + offset
  return baseUrl ?? `http://localhost:${listeningPort ?? planned}`
}

/** The same before it listens; undefined where it is off. */
export const plannedSignIn = (config: Config, audience: Audience): string | undefined =>
  listenerOf(config, audience).port === undefined ? undefined : signInUrl(config, audience)
