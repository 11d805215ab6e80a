import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { Config, Role } from '../config.ts'
import { createApp } from '../http/app.ts'
import { failureReply } from '../http/failures.ts'
import { serveHealth } from '../http/pages.ts'
import { serveMetrics } from '../metrics/server.ts'
import { ownHosts } from '../own-hosts.ts'

/** Stands in for a gateway whose start waits: live, not ready, and 503 for all other requests. */
export interface WaitingServer {
  /** Does nothing when it already listens. @throws the listener's error (EADDRINUSE) */
  listen(): Promise<void>
  end(): Promise<void>
}

const WAITING = 'waiting for a primary'

/** Listens on the addresses of the gateway; not on a port that the system picks, which nobody would know. */
export function createWaitingServer(config: Config, role: Role, logger: Logger): WaitingServer {
  const ends: (() => Promise<unknown>)[] = []
  return {
    async listen() {
      if (ends.length > 0) return
      if (role !== 'worker' && config.port !== 0) ends.push(await answerRequests(config, logger))
      if (config.metricsPort) ends.push(await answerProbes(config, config.metricsPort))
    },
    async end() {
      await Promise.all(ends.splice(0).map((end) => end()))
    },
  }
}

async function answerRequests(config: Config, logger: Logger): Promise<() => Promise<unknown>> {
  const { host, port, trustedProxies } = config
  const { reply } = failureReply(new StorageUnavailable(new Error(WAITING)))
  const app = createApp({
    api: { handle: async () => ({ reply, operationId: undefined }) },
    logger,
    random: { bytes: (size) => randomBytes(size) },
    trustedProxies,
    connectionsPerAddressMax: config.connectionsPerAddressMax,
    // Each connection closes with its reply: the next one goes to the gateway.
    isEnding: () => true,
    routes: (scope) => serveHealth(scope, async () => WAITING),
  })
  await app.listen({ host, port })
  return () => app.close()
}

async function answerProbes(config: Config, port: number): Promise<() => Promise<unknown>> {
  const server = await serveMetrics({
    host: config.metricsHost,
    port,
    isOwnHost: ownHosts(config),
    scrape: async () => '',
    isReady: async () => WAITING,
    onError: () => undefined,
  })
  return () => server.stop()
}
