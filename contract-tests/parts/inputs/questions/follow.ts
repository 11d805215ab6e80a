import type { Contract } from '../../../../openapi/reading/contract.ts'
import { elapse, passing } from '../../../driver/clock.ts'
import type { DriverFixture } from '../../../driver/fixture.ts'
import { customerOf, SANDBOX_OTP, walk } from '../../../driver/customer.ts'
import { inTurns } from '../texts.ts'
import type { QuestionPayment } from './ask.ts'
import { lastState, testNumbers, type TestNumber } from './test-numbers.ts'

const SOURCE = 'page "The sandbox", Test numbers'
const WAITING = 'Waiting for the one-time password'
/** A late result has come by then. */
const LATE_MS = 5_000

interface FollowedPayment {
  readonly payment: QuestionPayment
  readonly number: TestNumber
  /** The state that it ends in. */
  readonly wanted: string
  status: string
  isAuthorized: boolean
}

/** Does what the customers of these payments do, and waits for the ends that the page has for their numbers. */
export async function followToTheEnd(
  fixture: DriverFixture,
  contract: Contract,
  payments: readonly QuestionPayment[],
): Promise<void> {
  const { own } = fixture.target
  const numbers = testNumbers(contract)
  const followed = payments.flatMap((payment): FollowedPayment[] => {
    const number = numbers.find(({ ending }) => ending === payment.question.ending)
    if (!number) return []
    return [{ payment, number, wanted: lastState(number, payment.question.body), status: '', isAuthorized: false }]
  })
  await passing(own, async () => {
    await inTurns(
      followed.filter(({ status, wanted }) => status !== wanted),
      (each) => poll(fixture, each),
    )
    return followed.every(({ status, wanted }) => status === wanted)
  })
  await elapse(own, LATE_MS)
  await inTurns(followed, async (each) => {
    await poll(fixture, each)
    holdEnd(each)
  })
}

/** Verifies a payment, and does what its customer does next. */
async function poll(fixture: DriverFixture, followed: FollowedPayment): Promise<void> {
  const { payment } = followed
  const { driver, reply, reference, account } = payment
  const { transaction_status, status_message } = await driver.verify(reference)
  followed.status = String(transaction_status)
  const customer = customerOf(fixture.target, reply.data)
  if (customer) {
    // The part `receiver` reports a page that does not answer.
    if (followed.status === 'PENDING') await walk('pays', customer, account).catch(() => undefined)
    return
  }
  if (followed.isAuthorized || !String(status_message).startsWith(WAITING)) return
  followed.isAuthorized = true
  await driver.authorize(reply, SANDBOX_OTP)
}

function holdEnd({ payment: { driver, question }, number, wanted, status }: FollowedPayment): void {
  const { kind, what } = question
  driver.hold(
    kind.operation,
    status === wanted,
    `test number ${number.ending}: ${status} in place of ${wanted}`,
    `${kind.name} with ${what} is ${status} in the end, and ${wanted} was expected (${SOURCE})`,
  )
}
