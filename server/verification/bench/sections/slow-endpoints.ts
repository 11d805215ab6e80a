import { malipo } from '../command-line.ts'
import { measureDeliveries } from '../delivery-times.ts'
import { startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { temporaryFolder } from '../processes.ts'
import { startReceiver } from '../receiver.ts'
import { wholeNumber } from '../report.ts'
import { DEMO_MERCHANT } from '../../../local/sandbox/providers.ts'
import { connectTo, type Section } from '../section.ts'

const PER_SECOND = 200
const LASTS_MS = 30_000
const GROWTH_MAX = 1.1

/** Half of all callbacks go to an endpoint that hangs until the time-out of 15 s: how that affects the other half. */
export const slowEndpointsSection: Section = {
  name: 'slow-endpoints',
  what: "delivery time of one merchant's callbacks while the other half of all callbacks times out after 15 s",
  async run(step) {
    const gateway = await startGatewayProcess('all', await temporaryFolder())
    const { client, close } = await connectTo(gateway)
    const [fine, alsoFine, dead] = await Promise.all([
      startReceiver({ hangs: false }),
      startReceiver({ hangs: false }),
      startReceiver({ hangs: true }),
    ])
    const merchant = DEMO_MERCHANT.keys.publicKey
    await malipo(gateway, 'merchant', 'set', merchant, '--collection-callback-url', fine.url)
    const second = await createSecondMerchant(gateway, alsoFine.url)
    step('all callbacks answered')
    const load = { perSecond: PER_SECOND, lastsMs: LASTS_MS, second }
    const calm = await measureDeliveries(gateway, client, load)
    step('half of them time out')
    await malipo(gateway, 'merchant', 'set', second, '--collection-callback-url', dead.url)
    const beside = await measureDeliveries(gateway, client, load)
    await close()
    await Promise.all([gateway.stop(), fine.stop(), alsoFine.stop(), dead.stop()])
    const growth = beside.meanMs / calm.meanMs
    return {
      figures: [
        {
          name: 'final to acknowledged, the other half, mean',
          value: `${beside.meanMs.toFixed(1)} ms`,
          peer: `without them ${calm.meanMs.toFixed(1)} ms`,
          ratio: growth,
          target: `≤ ${GROWTH_MAX} ×`,
          reached: growth <= GROWTH_MAX,
        },
        {
          name: '  99th percentile',
          value: `${wholeNumber(beside.p99Ms)} ms`,
          peer: `without them ${wholeNumber(calm.p99Ms)} ms`,
          ratio: beside.p99Ms / calm.p99Ms,
        },
      ],
      notes: [
        `${PER_SECOND} collections per second for ${LASTS_MS / 1000} s, two merchants alternately; ${beside.unanswered} callbacks of the second one were attempted and timed out or were still unanswered at the end.`,
      ],
      raw: { calm, beside },
    }
  },
}

/** @returns its public key */
export async function createSecondMerchant(gateway: GatewayProcess, url: string): Promise<string> {
  const created = (await malipo(gateway, 'merchant', 'create', 'Second shop', '--collection-callback-url', url)) as {
    public_key: string
  }
  return created.public_key
}
