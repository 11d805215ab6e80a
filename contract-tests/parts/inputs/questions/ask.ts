import { isDeepStrictEqual } from 'node:util'
import { changed } from '../../../../openapi/reading/changed.ts'
import { bankAccount } from '../../../driver/account-numbers.ts'
import { fieldsOf, type Fields } from '../../../harness/json.ts'
import type { PaymentDriver } from '../../../driver/payment-driver.ts'
import type { DriverFixture } from '../../../driver/fixture.ts'
import { numberOf } from '../../../driver/provider-options.ts'
import type { ApiReply } from '../../../driver/requests.ts'
import type { PaymentOption } from './payment-options.ts'
import type { PaymentKind } from './payment-kinds.ts'
import type { Question } from './question.ts'

/** The payment of an accepted question. */
export interface QuestionPayment {
  readonly question: Question
  readonly driver: PaymentDriver
  readonly reference: string
  /** The number that the customer has, or enters on the page. */
  readonly account: string
  readonly reply: ApiReply
}

/** Stands for the value that is written as other text; no field has it. */
const PLACE = '\u0000here'

/**
 * Sends a question, and compares the reply and the record with the contract. @param option where it is paid
 * @returns undefined unless it was accepted
 */
export async function ask(
  fixture: DriverFixture,
  question: Question,
  option: PaymentOption,
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
  const sent = spelled ? changed(body, spelled.path, JSON.parse(spelled.text)) : body
  holdRecord(driver, question, fieldsOf(sent), await driver.verify(reference))
  return { question, driver, reference, account, reply }
}

/** A number that nothing else in this run uses. */
export function accountOf(
  driver: PaymentDriver,
  { method, currency, prefixes }: PaymentOption,
  ending: string,
): string {
  const [prefix = ''] = prefixes
  return method === 'BANK'
    ? bankAccount(Number(driver.phone().slice(4, -3)), ending)
    : numberOf(driver, currency, prefix, ending)
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

/**
 * Fields that request and record share have one value; a field that was left out has its declared default. One cause
 * shows in many questions: it is one finding for each kind of payment and field.
 */
function holdRecord(driver: PaymentDriver, { kind, what }: Question, sent: Fields, record: Fields): void {
  const defaults = Object.fromEntries(
    kind.fields.flatMap(({ path, schema }) =>
      path[0] !== undefined && schema.default !== undefined ? [[path[0], schema.default]] : [],
    ),
  )
  const isFound = 'id' in record
  const missing = `verify does not find ${kind.name} with ${what}, which was accepted`
  if (!driver.hold('verifyTransaction', isFound, `${kind.name} is not found`, missing)) return
  for (const [name, value] of Object.entries({ ...defaults, ...sent })) {
    const isNumber = name in numbersOf(kind, '')
    const names = isNumber ? ['transaction_account'] : [name, `request_${name}`]
    const recorded = names.find((each) => Object.hasOwn(record, each))
    if (recorded === undefined && name !== 'customer_name') continue
    const shown = recorded === undefined ? undefined : record[recorded]
    driver.hold(
      'verifyTransaction',
      isDeepStrictEqual(shown, value),
      `${name} of ${kind.name} ${shown === undefined ? 'is lost' : 'changes'}`,
      `verify of ${kind.name} with ${what} returns ${recorded ?? name} ${JSON.stringify(shown)}, and ${name} ${JSON.stringify(value)} was ${name in sent ? 'sent' : 'the default'}`,
    )
  }
}
