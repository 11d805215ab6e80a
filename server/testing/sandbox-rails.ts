import { test } from 'vitest'

/** `MALIPO_SANDBOX_RAILS=wire npx vitest run server/end-to-end`: the same tests with the real rails over HTTP. */
const isWire = process.env.MALIPO_SANDBOX_RAILS === 'wire'

/** What every gateway of a test is started with, unless the test says otherwise. */
export const SANDBOX_RAILS: Readonly<Record<string, string>> = isWire ? { MALIPO_SANDBOX_RAILS: 'wire' } : {}

/**
 * A test of what only the simulated rail has. Over the wire it is left out, which is told.
 * @param why what the operators on the wire do not have, or do otherwise
 */
export function testOfSimulatedRails(why: string): typeof test {
  if (isWire) console.log(`not over the wire: ${why}`)
  return isWire ? (test.skip as typeof test) : test
}

/** What is expected in this form of the sandbox. */
export const byForm = <Value>(simulated: Value, wire: Value): Value => (isWire ? wire : simulated)
