import { mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import type { DriverFixture } from '../../driver/fixture.ts'

const BYTES_MAX = 65_536
const TOO_LARGE = { status: 413, message: `The request body is larger than ${BYTES_MAX} bytes` }
const SOURCE = 'docs, page "Errors", Headers and body'

/** A body of exactly the maximum size, and one of one byte more. */
export async function bodySize(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('a large body', SOURCE)
  const filled = (body: object, bytes: number): string => {
    const text = JSON.stringify(body)
    return `${text.slice(0, -1)}${' '.repeat(bytes - text.length)}}`
  }
  const bodies = {
    initializeCollection: () => mobileCollection({ merchant_reference: 'auto', msisdn: driver.phone(), amount: 500 }),
    sendFunds: () => mobilePayout({ merchant_reference: driver.reference(), account_number: driver.phone() }),
  }
  for (const operation of ['initializeCollection', 'sendFunds'] as const) {
    const largest = await driver.post(operation, filled(bodies[operation](), BYTES_MAX))
    driver.expect(operation, largest, 202, `a body of ${BYTES_MAX} bytes`)
    const larger = await driver.post(operation, filled(bodies[operation](), BYTES_MAX + 1))
    driver.expect(operation, larger, TOO_LARGE, `a body of ${BYTES_MAX + 1} bytes`)
  }
}
