import { serveMetrics, type MetricsServer } from '../metrics/server.ts'
import { ownHosts } from '../own-hosts.ts'
import { readiness } from './clock.ts'
import type { CleanUp, Foundation } from './foundation.ts'

/** On a port of its own, if metrics are asked for. @throws the listener's error (EADDRINUSE) */
export async function startMetrics(
  { config, pool, clock, metrics, logError }: Foundation,
  cleanUp: CleanUp,
): Promise<MetricsServer | undefined> {
  if (config.metricsPort === undefined) return undefined
  const server = await serveMetrics({
    host: config.metricsHost,
    port: config.metricsPort,
    isOwnHost: ownHosts(config),
    scrape: metrics.scrape,
    isReady: () => readiness(pool, clock),
    onError: (error) => logError(error, 'serving metrics'),
  })
  cleanUp.push(() => server.stop())
  return server
}
