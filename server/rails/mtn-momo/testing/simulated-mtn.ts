import { mtnMomo } from '../../../../openapi/operators/simulator/mtn-momo/mtn-momo.ts'
import { startSimulator } from '../../../../openapi/operators/simulator/simulator.ts'
import { present } from '../../../domain/present.ts'
import type { Counterpart } from './counterpart.ts'
import { sandboxNumber } from './scripted-mtn.ts'

const MINUTE_MS = 60_000

/** The operators' simulator as MTN's sandbox, on a clock of its own. No server receives its callbacks. */
export async function startSimulatedMtn(): Promise<Counterpart> {
  const simulator = await startSimulator(mtnMomo(), { frozen: true, auto: true })
  const { world, scenarios, callbacks } = simulator
  // The sandbox has no payer who is over a limit.
  const overLimit = { do: 'settle', as: 'failed', code: 'PAYER_LIMIT_REACHED' } as const
  scenarios.add([
    {
      on: { operation: 'requestToPay', msisdn: sandboxNumber('payer', 'over_limit') },
      times: 'always',
      effect: overLimit,
    },
  ])
  const { operator, open, url } = simulator
  return {
    settings: { ...open.railSettings, base_url: url, currency: operator.currency },
    currency: operator.currency,
    number: sandboxNumber,
    passTime: async () => world.clock.advance(10 * MINUTE_MS),
    spoilTokens: async () => world.clock.advance(120 * MINUTE_MS),
    callbackUrl: (scheme, orderId, tail) => `${scheme}://127.0.0.1:1/${orderId}/${tail}`,
    async callbackOf(orderId) {
      await callbacks.idle()
      const sent = world.exchanges.all().find(({ direction, url }) => direction === 'out' && url.includes(orderId))
      const { url, method, requestBody } = present(sent, 'a callback')
      return { url, method: method === 'POST' ? 'POST' : 'PUT', body: JSON.stringify(requestBody) }
    },
    close: () => simulator.close(),
  }
}
