import { elapse } from '../../../driver/clock.ts'
import type { DriverFixture } from '../../../driver/fixture.ts'
import { followPayments, poll } from '../../../driver/follow-payments.ts'
import { forEachOf } from '../../../driver/for-each-of.ts'
import type { QuestionPayment } from './ask.ts'
import { lastState, type TestNumber } from './test-numbers.ts'

const SOURCE = 'page "The sandbox", Test numbers'
/** A late result has come by then. */
const LATE_MS = 5_000

/** Waits for the ends that the page has for the test numbers of these payments. */
export async function followToTheEnd(
  { target, ranDry }: DriverFixture,
  numbers: readonly TestNumber[],
  payments: readonly QuestionPayment[],
): Promise<void> {
  const wantedOf = ({ question: { ending, body } }: QuestionPayment): string | undefined => {
    const number = numbers.find((each) => each.ending === ending)
    return number && lastState(number, body)
  }
  const known = payments.filter((payment) => wantedOf(payment) !== undefined)
  await followPayments(target, known, (payment) => payment.record['transaction_status'] === wantedOf(payment))
  await elapse(target.own, LATE_MS)
  await forEachOf(known, async (payment) => {
    await poll(target, payment)
    const { driver, question, record } = payment
    const { kind, what, ending, body } = question
    const paid = { currency: String(body['currency']), amount: Number(body['amount']) }
    if (await ranDry(record, { ...paid, tests: 'what becomes of payouts to test numbers' })) return
    const [status, wanted] = [String(record['transaction_status']), wantedOf(payment)]
    driver.hold(
      kind.operation,
      status === wanted,
      `test number ${ending}: ${status} in place of ${wanted}`,
      `${kind.name} with ${what} is ${status} in the end, and ${wanted} was expected (${SOURCE})`,
    )
  })
}
