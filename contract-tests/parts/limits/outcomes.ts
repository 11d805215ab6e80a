import { expectRecord } from '../../driver/payment-driver.ts'
import type { DriverFixture } from '../../driver/fixture.ts'

const SECOND_MS = 1_000
const SLOW_MS = 60_000
const DAY_MS = 24 * 3_600_000
const ABOUT = 'initializeCollection'
const TIMES = 'docs, page "Life of a transaction", Times'
const TEST_NUMBERS = 'docs, page "Test numbers"'

/** When payments of test numbers end, and that one of them never does. Only where the clock can be moved. */
export async function outcomes(fixture: DriverFixture): Promise<void> {
  if (!fixture.target.own) return
  await slow(fixture)
  await undecided(fixture)
}

/** The test number 010 completes after 60 s. */
async function slow(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('test number 010')
  const merchant_reference = driver.reference()
  await driver.collect({ msisdn: driver.phone('010'), merchant_reference })
  await driver.advance(0)
  await driver.advance(SLOW_MS - SECOND_MS)
  const before = { transaction_status: 'PROCESSING' }
  expectRecord(driver, ABOUT, await driver.verify(merchant_reference), before, '010 after 59 s', TEST_NUMBERS)
  await driver.advance(2 * SECOND_MS)
  expectRecord(
    driver,
    ABOUT,
    await driver.verify(merchant_reference),
    { transaction_status: 'COMPLETED' },
    '010 after 61 s',
    TEST_NUMBERS,
  )
}

/**
 * The operator has the order of test number 006 and returns no result: nothing may end it, not even a day without one.
 */
async function undecided(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('test number 006')
  const [collection, payout] = [driver.reference(), driver.reference()]
  await driver.collect({ msisdn: driver.phone('006'), merchant_reference: collection })
  await driver.pay({ account_number: driver.phone('006'), merchant_reference: payout })
  await driver.advance(0)
  for (const afterMs of [10 * 60_000 + SECOND_MS, DAY_MS, DAY_MS]) await driver.advance(afterMs)
  const still = { transaction_status: 'PROCESSING' }
  const source = `${TIMES}: FAILED only if the operator confirms that nothing moved`
  expectRecord(driver, ABOUT, await driver.verify(collection), still, 'a collection without a result', source)
  expectRecord(driver, 'sendFunds', await driver.verify(payout), still, 'a payout without a result', source)
}
