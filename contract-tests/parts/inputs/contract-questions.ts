import { readContract } from '../../../openapi/reading/contract.ts'
import { seededFractions } from '../../../server/verification/testing/seeded.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { ask, completed, type QuestionPayment } from './questions/ask.ts'
import { authorizationUnderKey, changedUnderKey } from './questions/changed-under-key.ts'
import { bodiesOfSeveralFaults } from './questions/field-order.ts'
import { elapse } from '../../driver/clock.ts'
import { followPayments, poll } from '../../driver/follow-payments.ts'
import { characterQuestions, hasTag, lengthQuestions, writtenQuestions } from './questions/free-texts.ts'
import { aloneQuestions, combinedQuestions, numberQuestions } from './questions/optional-fields.ts'
import { otherTypeQuestions } from './questions/other-types.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { accountOf, payableOptions, type Option } from '../../driver/provider-options.ts'
import { pageAddress } from '../../driver/customer.ts'
import { passOn, wireRequest } from '../../harness/proxy.ts'
import { paymentKinds, plainBody, type PaymentKind } from './questions/payment-kinds.ts'
import { sampled, type Question } from './questions/question.ts'
import { lastState, testNumbers, type TestNumber } from './questions/test-numbers.ts'

// Questions that are made from the contract: the schemas of the bodies, the providers that the server lists, the test
// numbers of the page "The sandbox".

/** A section about each kind of payment that a listed provider takes: the first of them, and all. */
const section =
  (run: (fixture: DriverFixture, kinds: readonly ListedKind[]) => Promise<void>) =>
  async (fixture: DriverFixture): Promise<void> => {
    const payable = await payableOptions(fixture.driver('the providers'))
    const kinds = paymentKinds(readContract(fixture.target.contract)).flatMap((kind) => {
      const options = payable.filter(({ type, method }) => type === kind.direction && method === kind.method)
      const [option] = options
      if (!option) fixture.skip(`${kind.name}: no provider of it is listed`)
      return option ? [{ kind, option, options }] : []
    })
    await run(fixture, kinds)
  }

/** A kind of payment, and the listed providers that take it. */
interface ListedKind {
  readonly kind: PaymentKind
  /** The first of them. */
  readonly option: Option
  readonly options: readonly Option[]
}

const arrayOf = ({ seed, size }: DriverFixture) => ({
  random: seededFractions(seed),
  strength: size === 'nightly' ? (3 as const) : (2 as const),
})

/** Sends all questions. @returns the payments that were made */
async function askAll(
  fixture: DriverFixture,
  questions: readonly Question[],
  options: readonly Option[],
): Promise<readonly QuestionPayment[]> {
  const payments: QuestionPayment[] = []
  await forEachOf([...questions.entries()], async ([index, question]) => {
    const option = options.find(({ code }) => code === question.body['provider_code']) ?? options[0]
    if (!option) return
    const payment = await ask(fixture, question, option, { isEscaped: index % 2 === 1 })
    if (payment) payments.push(payment)
  })
  return payments
}

/** Every optional field alone, with each other one, and at each provider. */
export const optionalFields = section(async (fixture, kinds) => {
  for (const { kind, options } of kinds) {
    const combined = combinedQuestions(kind, options, arrayOf(fixture))
    await askAll(fixture, [...aloneQuestions(kind, options), ...combined], options)
  }
})

/** Longer than a run on a server's own clock waits for one payment. */
const SECONDS_MAX = 10

/** Every test number with each optional field, to the end. */
export const numbersOfSandbox = section(async (fixture, kinds) => {
  const { target } = fixture
  const numbers = testNumbers(readContract(target.contract))
  if (numbers.length === 0) return fixture.skip('test numbers: the contract has no table of them')
  const payments: QuestionPayment[] = []
  for (const { kind, option, options } of kinds) {
    const endings = numbers
      .filter(({ seconds }) => target.own !== undefined || seconds <= SECONDS_MAX)
      // A payout that never ends holds the wallet's money for ever; a late result is for collections.
      .filter(({ states: [first, ...later] }) =>
        kind.direction === 'COLLECTION' ? true : later.length === 0 && first !== 'PROCESSING',
      )
      .map(({ ending }) => ending)
    const questions = numberQuestions(kind, option, endings, arrayOf(fixture))
    payments.push(...(await askAll(fixture, questions, options)))
  }
  await followToTheEnd(fixture, numbers, payments)
})

const SOURCE = 'page "The sandbox", Test numbers'
/** A late result has come by then. */
const LATE_MS = 5_000

/** Waits for the ends that the page has for the test numbers of these payments. */
async function followToTheEnd(
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

/** Of several invalid fields the first one is reported. */
export const fieldOrder = section(async (fixture, kinds) => {
  for (const { kind, option } of kinds) {
    const driver = fixture.driver('')
    const body = completed(kind, plainBody(kind, option), driver.reference(), accountOf(driver, option, '001'))
    await forEachOf([...bodiesOfSeveralFaults(kind, body)], async ([what, faults]) => {
      const asker = fixture.driver(`${kind.name} ${what}`)
      const reply = await asker.post(kind.operation, faults)
      asker.expect(kind.operation, reply, 400, 'several invalid fields', 'the schemas of the contract')
    })
  }
})

/** Each field as other programs write it: `"true"`, `5000.0`, `"1234"`, `5e3`. */
export const otherTypes = section(async (fixture, kinds) => {
  for (const { kind, option, options } of kinds) await askAll(fixture, otherTypeQuestions(kind, option), options)
})

/** Texts of every script, length and kind of markup in each field that takes them, and on the payment page. */
export const freeTexts = section(async (fixture, kinds) => {
  const all = kinds.flatMap(({ kind, option }) =>
    [lengthQuestions, writtenQuestions, characterQuestions].flatMap((make) => make(kind, option)),
  )
  const groupOf = (question: Question): string => (hasTag(question) ? `${question.kind.name} ` : '') + question.what
  const options = kinds.flatMap((each) => each.options)
  const payments = await askAll(fixture, sampled(all, groupOf, fixture), options)
  await forEachOf(payments, (payment) => holdPage(fixture, payment))
  // Their callbacks have the texts, too.
  await fixture.target.own?.advance(0)
  await fixture.target.own?.advance(2_000)
})

/** The page escapes what it shows. */
async function holdPage(fixture: DriverFixture, { question, driver, reply }: QuestionPayment): Promise<void> {
  const address = pageAddress(fixture.target, reply.data)
  if (!hasTag(question) || address === undefined) return
  const { origin, pathname } = new URL(address)
  const page = await passOn(new URL(origin), wireRequest('GET', pathname, {})).catch(() => undefined)
  const html = page?.body.toString() ?? ''
  const shown = Object.values(question.body).find(
    (text) => typeof text === 'string' && text.includes('<') && html.includes(text),
  )
  const what = `the payment page of ${question.kind.name} with ${question.what} has ${JSON.stringify(shown)} as it was sent, so that a browser reads it as markup`
  driver.hold('paymentPage', shown === undefined, 'markup on the payment page', what)
}

/** One field changed under the same Idempotency-Key, for each field. */
export const keyedChanges = section(async (fixture, kinds) => {
  await forEachOf(kinds, ({ kind, option }) => changedUnderKey(fixture, kind, option))
  await authorizationUnderKey(fixture)
})
