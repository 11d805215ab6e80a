import type { Config } from '../config.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts'
import { inBursts } from '../work/repeat.ts'
import type { Surroundings } from './surroundings.ts'

/** A collector that is away is told so often at most. */
const AWAY_MS = 60_000

/** Off unless a collector is named. */
export async function tracesOf(config: Config, { random, logger }: Surroundings): Promise<Tracing> {
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
