import { expectRecord } from './act.ts'
import type { LimitsFixture } from './scene.ts'

const SECOND_MS = 1_000
const SLOW_MS = 60_000
const DAY_MS = 24 * 3_600_000
const ABOUT = 'initializeCollection'
const TIMES = 'docs, page "Life of a transaction", Times'
const TEST_NUMBERS = 'docs, page "Test numbers"'

/** When test numbers come to their end, and that one never does. Only where the clock can be moved. */
export async function outcomes(scene: LimitsFixture): Promise<void> {
  if (!scene.target.own) return
  await slow(scene)
  await undecided(scene)
}

/** The test number 010 completes after 60 s. */
async function slow(scene: LimitsFixture): Promise<void> {
  const act = scene.act('test number 010')
  const merchant_reference = act.reference()
  await act.collect({ msisdn: act.phone('010'), merchant_reference })
  await act.advance(0)
  await act.advance(SLOW_MS - SECOND_MS)
  const before = { transaction_status: 'PROCESSING' }
  expectRecord(act, ABOUT, await act.verify(merchant_reference), before, '010 after 59 s', TEST_NUMBERS)
  await act.advance(2 * SECOND_MS)
  expectRecord(
    act,
    ABOUT,
    await act.verify(merchant_reference),
    { transaction_status: 'COMPLETED' },
    '010 after 61 s',
    TEST_NUMBERS,
  )
}

/** The operator knows the order of test number 006 and says no result: nothing may end it, a day's silence least. */
async function undecided(scene: LimitsFixture): Promise<void> {
  const act = scene.act('test number 006')
  const [collection, payout] = [act.reference(), act.reference()]
  await act.collect({ msisdn: act.phone('006'), merchant_reference: collection })
  await act.pay({ account_number: act.phone('006'), merchant_reference: payout })
  await act.advance(0)
  for (const afterMs of [10 * 60_000 + SECOND_MS, DAY_MS, DAY_MS]) await act.advance(afterMs)
  const still = { transaction_status: 'PROCESSING' }
  const source = `${TIMES}: FAILED only if the operator confirms that nothing moved`
  expectRecord(act, ABOUT, await act.verify(collection), still, 'a collection without a result', source)
  expectRecord(act, 'sendFunds', await act.verify(payout), still, 'a payout without a result', source)
}
