import { test } from 'vitest'

/** `MALIPO_SANDBOX_RAILS=wire npx vitest run server/end-to-end`: the same tests with the real rails over HTTP. */
const isWire = process.env.MALIPO_SANDBOX_RAILS === 'wire'

/** What every gateway of a test is started with, unless the test says otherwise. */
export const SANDBOX_RAILS: Readonly<Record<string, string>> = isWire ? { MALIPO_SANDBOX_RAILS: 'wire' } : {}

/** For tests that bring operators or rails of their own: beside them there are no others. */
export const OWN_RAILS = { MALIPO_SANDBOX_RAILS: 'simulated' } as const

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

/** Why orders fail at test numbers, for merchants and customers to read: the simulated rail's words, and MTN's rail's. */
export const WHY = {
  collection: {
    unable: byForm('Insufficient balance on the customer account', 'The account does not hold enough money'),
    expired: byForm('The request timed out without a transfer', 'Nobody approved the payment in time'),
    declined: byForm('The customer declined the request', 'The customer did not approve the payment'),
  },
  payout: {
    unable: byForm("The recipient's account cannot receive the amount", 'The account cannot receive money now'),
    expired: byForm('The request timed out without a transfer', 'Nobody approved the payment in time'),
    declined: byForm('The recipient declined the request', 'The payment was not approved'),
  },
} as const
