import { mobileCollection, mobilePayout } from '../../harness/bodies.ts'
import type { LimitsFixture } from './scene.ts'

const BYTES_MAX = 65_536
const TOO_LARGE = { status: 413, message: `The request body is larger than ${BYTES_MAX} bytes` }
const SOURCE = 'docs, page "Errors", Headers and body'

/** A body of as many bytes as are read, and one of one byte more. */
export async function bodySize(scene: LimitsFixture): Promise<void> {
  const act = scene.act('a large body')
  const filled = (body: object, bytes: number): string => {
    const text = JSON.stringify(body)
    return `${text.slice(0, -1)}${' '.repeat(bytes - text.length)}}`
  }
  const bodies = {
    initializeCollection: () => mobileCollection({ merchant_reference: 'auto', msisdn: act.phone(), amount: 500 }),
    sendFunds: () => mobilePayout({ merchant_reference: act.reference(), account_number: act.phone() }),
  }
  for (const operation of ['initializeCollection', 'sendFunds'] as const) {
    const largest = await act.post(operation, filled(bodies[operation](), BYTES_MAX))
    act.expect(operation, largest, { status: 202 }, `a body of ${BYTES_MAX} bytes`, SOURCE)
    const larger = await act.post(operation, filled(bodies[operation](), BYTES_MAX + 1))
    act.expect(operation, larger, TOO_LARGE, `a body of ${BYTES_MAX + 1} bytes`, SOURCE)
  }
}
