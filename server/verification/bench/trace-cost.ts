import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pooledRandom } from '../../domain/references.ts'
import { openTracing } from '../../tracing/open-tracing.ts'

const WARM_UP = 50_000
const REQUESTS = 400_000
/** As many requests as one turn of the event loop may bring; spans are sent between two turns. */
const PER_TURN = 64

/**
 * The extra cost of tracing per request: starting and sampling it and, for the sampled share, ending, serialising to
 * JSON
 * and sending it. Measured in one process, because two gateways with the same code differ by more than that.
 *
 * @returns microseconds of processor time per request, including those of the collector (in the same process)
 */
export async function costOfTraces(endpoint: string, ratio: number): Promise<number> {
  const tracing = await openTracing({
    endpoint,
    serviceName: 'malipo-bench',
    sampler: 'parentbased_traceidratio',
    ratio,
    random: pooledRandom(randomBytes),
    onFault: (error) => {
      throw error
    },
  })
  const requests = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += PER_TURN) {
      for (let one = 0; one < PER_TURN; one += 1)
        tracing
          .traceRequest({ method: 'POST', traceparent: undefined })
          ?.end({ status: 202, route: '/api/v1/collections/initialize' })
      await nextTurn()
    }
  }
  await requests(WARM_UP)
  const before = process.cpuUsage()
  await requests(REQUESTS)
  await tracing.stop()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / REQUESTS - (await costOfTurns())
}

/** The turns of the event loop themselves do not count: a gateway has them anyway. */
async function costOfTurns(): Promise<number> {
  const before = process.cpuUsage()
  for (let done = 0; done < REQUESTS; done += PER_TURN) await nextTurn()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / REQUESTS
}
