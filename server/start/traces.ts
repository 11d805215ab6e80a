import type { Config } from '../config.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts'
import { inBursts } from './repeat.ts'
import type { StartEnvironment } from './surroundings.ts'

/** An unavailable collector is logged at most once in this time. */
const AWAY_MS = 60_000

/** Off unless a collector is configured. */
export async function tracesOf(config: Config, { random, logger }: StartEnvironment): Promise<Tracing> {
  const { otlpEndpoint: endpoint, tracesSampler, tracesSamplerArg, serviceName } = config
  if (endpoint === undefined) return NO_TRACING
  return openTracing({
    endpoint,
    serviceName,
    sampler: tracesSampler,
    ratio: tracesSamplerArg,
    random,
    onFault: inBursts(AWAY_MS, (batches, error: unknown) =>
      logger.warn({ batches, err: error }, 'traces could not be delivered and are lost'),
    ),
  })
}
