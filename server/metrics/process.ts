import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { Figures } from '../actions/ports/figures.ts'

let registryOfProcess: Registry | undefined

/**
 * CPU, memory, garbage collection and event loop of the process, registered once for all gateways in it. Their
 * observers are never removed.
 */
export function processRegistry(): Registry {
  if (!registryOfProcess) collectDefaultMetrics({ register: (registryOfProcess = new Registry()) })
  return registryOfProcess
}

/** The numbers of open and idle database connections and of waiting requests for one. */
export function connectionMetrics(registry: Registry, { connections }: Pick<Figures, 'connections'>): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  gauge(
    'malipo_database_connections',
    'Open connections to PostgreSQL of this process, in use or idle.',
    () => connections().open,
  )
  gauge(
    'malipo_database_connections_idle',
    'Open connections to PostgreSQL that nobody uses.',
    () => connections().idle,
  )
  gauge(
    'malipo_database_connection_waiters',
    'Callers that wait for a connection to PostgreSQL.',
    () => connections().waiting,
  )
  new Counter({
    name: 'malipo_database_pool_exhausted_total',
    help: 'Callers that got no connection because all of this process were in use. The database was there.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(connections().exhausted)
    },
  })
}

/** The running version, as labels of a gauge that is always 1. */
export function buildInfo(registry: Registry, labels: { readonly role: string; readonly mode: string }): void {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  new Gauge({
    name: 'malipo_build_info',
    help: 'Always 1: its labels name the versions, role and mode.',
    labelNames: ['version', 'node', 'role', 'mode'],
    registers: [registry],
  }).set({ version, node: process.version, ...labels }, 1)
}
