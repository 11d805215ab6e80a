import { serveMetrics, type MetricsServer } from '../metrics/server.ts'
import { ownHosts } from '../own-hosts.ts'
import type { CleanUp, Foundation } from './foundation.ts'

/** Serves metrics on a separate port, if they are enabled. @throws the listener's error (EADDRINUSE) */
export async function startMetrics(
  { config, metrics, readiness, logError }: Foundation,
  cleanUp: CleanUp,
): Promise<MetricsServer | undefined> {
  if (config.metricsPort === undefined) return undefined
  const server = await serveMetrics({
    host: config.metricsHost,
    port: config.metricsPort,
    isOwnHost: ownHosts(config),
    scrape: metrics.scrape,
    isReady: readiness.check,
    degraded: readiness.degraded,
    onError: (error) => logError(error, 'serving metrics'),
  })
  cleanUp.push(() => server.stop())
  return server
}
