import type { DriverFixture } from '../../driver/fixture.ts'
import { BODIES } from './bounds.ts'

const BYTES_MAX = { initializeCollection: 65_536, sendFunds: 65_536, createPayoutBatch: 1_048_576 } as const
const SOURCE = 'docs, page "Errors", Headers and body'

/** A body of exactly the maximum size, and one of one byte more. */
export async function bodySize(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('a large body', SOURCE)
  const bodies = {
    ...BODIES,
    createPayoutBatch: () => ({ batch_reference: driver.reference(), payouts: [BODIES.sendFunds(driver)] }),
  }
  for (const operation of ['initializeCollection', 'sendFunds', 'createPayoutBatch'] as const) {
    const max = BYTES_MAX[operation]
    const filled = (bytes: number): string => {
      const text = JSON.stringify(bodies[operation](driver))
      return `${text.slice(0, -1)}${' '.repeat(bytes - text.length)}}`
    }
    driver.expect(operation, await driver.post(operation, filled(max)), 202, `a body of ${max} bytes`)
    const tooLarge = { status: 413, message: `The request body is larger than ${max} bytes` }
    driver.expect(operation, await driver.post(operation, filled(max + 1)), tooLarge, `a body of ${max + 1} bytes`)
  }
}
