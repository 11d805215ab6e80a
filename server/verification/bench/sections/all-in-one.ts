import { startGatewayProcess } from '../gateway-process.ts'
import { measureAllInOne } from '../measure-accepting.ts'
import { measurePage } from '../measure-page.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { wholeNumber } from '../report.ts'
import { atLeastRate, atMost, connectTo, rate, type Section } from '../section.ts'

const DRAIN_PATIENCE_MS = 30_000
const TARGETS = { perSecond: 1500, finalSeconds: 5, residentMb: 250, pageKb: 50 }

/**
 * What `npm start` runs: one process accepts as fast as it can, and meanwhile settles, signs and delivers to its own
 * inbox.
 */
export const allInOneSection: Section = {
  name: 'all-in-one',
  what: 'one process under more load than it can finish, and the payment page',
  async run() {
    const gateway = await startGatewayProcess('all', await temporaryFolder())
    const { client, close } = await connectTo(gateway)
    const result = await measureAllInOne(gateway, client, DRAIN_PATIENCE_MS)
    // Runs last: its payment waits for a customer and never becomes final.
    const page = await measurePage(gateway)
    const resident = await residentMb(gateway.pid)
    await close()
    await gateway.stop()
    return {
      figures: [
        { name: 'accepted collections, role all', ...atLeastRate(TARGETS.perSecond, result.load.perSecond) },
        { name: '  their 99th percentile', value: `${wholeNumber(result.load.p99Ms)} ms` },
        { name: '  final meanwhile', value: rate(result.finalPerSecond) },
        { name: '  delivered meanwhile', value: rate(result.deliveredPerSecond) },
        {
          name: '  all final after the load',
          value: after(result.finalAfterSeconds),
          target: `≤ ${TARGETS.finalSeconds} s`,
          reached: (result.finalAfterSeconds ?? Infinity) <= TARGETS.finalSeconds,
        },
        { name: '  all delivered after the load', value: after(result.deliveredAfterSeconds) },
        { name: 'memory after the load, role all', ...atMost(TARGETS.residentMb, 'MB', resident) },
        { name: 'payment page with all it loads', ...atMost(TARGETS.pageKb, 'kB', page.bytes / 1000) },
        { name: '  its first byte', value: `${page.firstByteMs.toFixed(1)} ms` },
        { name: 'replies that were not as expected', ...atMost(0, 'replies', result.load.failed) },
      ],
      notes: result.firstError === undefined ? [] : [`The log of role all has errors; the first: ${result.firstError}`],
      raw: { result, page },
    }
  },
}

const after = (seconds: number | undefined): string =>
  seconds === undefined ? `not within ${DRAIN_PATIENCE_MS / 1000} s` : `${seconds.toFixed(1)} s`
