import { test } from 'vitest'
import { skipReason } from './skip-reason.ts'

/** `MALIPO_SANDBOX_RAILS=wire npx vitest run server/verification/end-to-end`: the same tests with the real rails over HTTP. */
const isWire = process.env.MALIPO_SANDBOX_RAILS === 'wire'

/** The environment of every gateway of a test, unless the test overrides it. */
export const SANDBOX_RAILS: Readonly<Record<string, string>> = isWire ? { MALIPO_SANDBOX_RAILS: 'wire' } : {}

/** For tests with operators or rails of their own: no others run next to them. */
export const OWN_RAILS = { MALIPO_SANDBOX_RAILS: 'simulated' } as const

/**
 * A test of a feature of the simulated rail only. Over the wire it is skipped and reported as such.
 * @param why what the operators on the wire do not have, or do differently
 */
export function testOfSimulatedRails(why: string): typeof test {
  if (isWire) skipReason('not over the wire', why)
  return isWire ? (test.skip as typeof test) : test
}

/** The expected value in this form of the sandbox. */
export const byForm = <Value>(simulated: Value, wire: Value): Value => (isWire ? wire : simulated)
