import { changed } from '../../../../openapi/reading/changed.ts'
import type { Fields } from '../../../harness/json.ts'
import type { FollowedPayment } from '../../../driver/follow-payments.ts'
import type { PaymentDriver } from '../../../driver/payment-driver.ts'
import type { DriverFixture } from '../../../driver/fixture.ts'
import type { ApiReply } from '../../../driver/requests.ts'
import { accountOf, type Option } from '../../../driver/provider-options.ts'
import type { PaymentKind } from './payment-kinds.ts'
import type { Question } from './question.ts'

/** The payment of an accepted question. */
export interface QuestionPayment extends FollowedPayment {
  readonly question: Question
}

/** Stands for the value that is written as other text; no field has it. */
const PLACE = '\u0000here'

/**
 * Sends a question, and compares the status with the contract. The record is read, so that the rule "constant fields"
 * compares it with the request. @param option where it is paid @returns undefined unless it was accepted
 */
export async function ask(
  fixture: DriverFixture,
  question: Question,
  option: Option,
  { isEscaped = false } = {},
): Promise<QuestionPayment | undefined> {
  const { kind, what, spelled } = question
  const driver = fixture.driver(`${kind.name} with ${what}`)
  const reference = driver.reference()
  const account = accountOf(driver, option, question.ending)
  const body = completed(kind, question.body, reference, account)
  const given = spelled ? changed(body, spelled.path, PLACE) : body
  const text = JSON.stringify(given).replace(JSON.stringify(PLACE), () => spelled?.text ?? '')
  const reply = await driver.post(kind.operation, isEscaped ? escaped(text) : text)
  if (!holdReply(driver, question, reply) || question.expected !== 'accepted') return undefined
  const found = await driver.find(reference)
  const payment = { question, driver, reference, account, reply, record: {}, isAuthorized: false }
  const isFound = driver.expect('verifyTransaction', found, 200, `${kind.name} is not found`, 'it was accepted')
  if (!isFound) return payment
  // The rule takes numbers as the same that differ in their beginning only, because requests spell them as they like.
  const { transaction_account: shown } = found.data
  const [sent = shown] = Object.keys(numbersOf(kind, account)).map((name) => body[name])
  const came = `verify of ${kind.name} with ${what} returns transaction_account ${JSON.stringify(shown)}, and ${JSON.stringify(sent)} was sent`
  driver.hold('verifyTransaction', shown === sent, `account of ${kind.name} changes`, came)
  return payment
}

/** The body with the fields that make it a new payment, unless the question has its own. */
export function completed(kind: PaymentKind, body: Fields, reference: string, account: string): Fields {
  return { merchant_reference: reference, ...numbersOf(kind, account), ...body }
}

/** The field of the account number, where the kind requires one. */
const numbersOf = ({ required }: PaymentKind, account: string): Fields =>
  Object.fromEntries(['msisdn', 'account_number'].flatMap((name) => (required.includes(name) ? [[name, account]] : [])))

/** JSON of a library that escapes everything but ASCII. */
const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function holdReply(driver: PaymentDriver, { kind, what, rule, expected }: Question, reply: ApiReply): boolean {
  const came = reply.status === 0 ? 'no reply came' : `it was answered ${reply.status} "${reply.message}"`
  const isRight = reply.status === (expected === 'accepted' ? 202 : 400)
  const because =
    expected === 'accepted'
      ? 'fits the contract, and 202 was expected'
      : `is refused with 400 by the contract (${expected.refused})`
  return driver.hold(
    kind.operation,
    isRight,
    isRight ? rule : `${rule} ${reply.status} ${withoutValues(reply.message)}`,
    `${kind.name} with ${what} ${because}; ${came}`,
  )
}

/** Equal for one cause, whatever values it names. */
const withoutValues = (message: string): string => message.replaceAll(/\([^)]*\)|\d+/g, '#')
