import { money } from '../../../domain/money.ts'
import { createSimulatorBook } from '../../../local/sandbox/simulator-book.ts'
import { createSimulator } from '../../../local/sandbox/simulator.ts'
import type { Pool } from '../../../storage/pool.ts'
import { fixedClock } from '../../../verification/testing/gateway.ts'
import type { OrderOutcome } from '../rail-stage.ts'
import type { Subject } from '../run-rule.ts'
import { newOrder, refundsAsOrders } from '../wire-stage.ts'

const DELAY_MS = 2_000
/** The last digits of the sandbox's test numbers determine the outcome of an order. */
const ENDINGS: Readonly<Record<OrderOutcome, string>> = { paid: '123', failed: '002' }

let orders = 0

/** The sandbox's own rail: an operator inside the gateway, with its orders in the database. */
export const simulatedRail = (pool: Pool, refunds = false): Subject => ({
  name: refunds ? 'its refunds' : 'simulated rail of the sandbox',
  lacks: { wire: 'it is inside the gateway: nothing goes over a wire, and it reports by a call' },
  async openRail() {
    const clock = fixedClock()
    const simulator = createSimulator({ book: createSimulatorBook(pool), clock, delayMs: DELAY_MS })
    return {
      clock,
      rail: refunds ? refundsAsOrders(simulator, () => ({ orderId: 'c', externalIds: {} })) : simulator,
      order: (fate = 'paid', changes = {}) =>
        newOrder(
          { type: 'COLLECTION', providerCode: 'mtn_ug', amounts: [money(5000n, 'UGX')] },
          { account: `25678${String((orders += 1)).padStart(4, '0')}${ENDINGS[fate]}`, ...changes },
        ),
      decide: async () => clock.advance(DELAY_MS),
      async moved({ internalReference }) {
        const { rows } = await pool.query(`select from sandbox.reports where reference = $1 and status = 'COMPLETED'`, [
          internalReference,
        ])
        return rows.length
      },
      close: async () => undefined,
    }
  },
})
