import { WRONG_OTP } from '../../../driver/customer.ts'
import { changed } from '../../../../openapi/reading/changed.ts'
import { valueAt, type Fields } from '../../../harness/json.ts'
import type { DriverFixture } from '../../../driver/fixture.ts'
import { completed } from './ask.ts'
import { exampleOf, nameOf, plainBody, type FieldOfBody, type PaymentKind } from './payment-kinds.ts'
import { accountOf, type Option } from '../../../driver/provider-options.ts'

const SOURCE = 'Idempotency-Key: the same key with another body is refused with 409'
/** Card data is thrown away at once, never stored in any form: nothing is left that could be compared. */
const NEVER_STORED = 'card_cipher'
/** Another method is another branch of the body. */
const TAG = 'transaction_method'

/** Sends one request under a key, and then under the same key one for each field, which differs in this field alone. */
export async function changedUnderKey(fixture: DriverFixture, kind: PaymentKind, option: Option): Promise<void> {
  const driver = fixture.driver(`${kind.name} under an Idempotency-Key that was used`)
  const key = { 'idempotency-key': driver.reference() }
  const body = completed(kind, plainBody(kind, option), driver.reference(), accountOf(driver, option, '001'))
  const first = await driver.post(kind.operation, body, key)
  if (!driver.expect(kind.operation, first, 202, 'a request with an Idempotency-Key', SOURCE)) return
  const account = accountOf(driver, option, '001')
  const others = { merchant_reference: driver.reference(), msisdn: account, account_number: account, currency: 'USD' }
  for (const field of kind.fields) {
    const value = otherValue(kind, field, valueAt(body, field.path), others)
    const [whole = ''] = field.path
    if (value === undefined || whole === TAG || whole === NEVER_STORED) continue
    const name = nameOf(field)
    const other = changed(body, field.path, value)
    const reply = await driver.post(kind.operation, other, key)
    // A request that is refused for itself may be so before the key is compared.
    const isPossible = field.isFree && kind.isPossible(other)
    const isRight = reply.status === 409 || (!isPossible && reply.status === 400)
    const repeats = reply.header('idempotency-replayed') === undefined ? '' : ', which repeats the first reply'
    const what = `${kind.name} under an Idempotency-Key that was used for one with another ${name} was answered ${reply.status} "${reply.message}"${repeats}; 409 was expected (${SOURCE})`
    driver.hold(kind.operation, isRight, `another ${name} under the same Idempotency-Key`, what)
  }
}

/** Another valid value of a field; undefined: none is known. A default that is left out counts as given. */
function otherValue({ contract }: PaymentKind, field: FieldOfBody, own: unknown, others: Fields): unknown {
  const { schema } = field
  const candidates = (): readonly unknown[] => {
    const name = nameOf(field)
    if (name in others) return [others[name]]
    if (schema.type === 'boolean') return [!(own ?? schema.default ?? false)]
    if (schema.type === 'number') return [Number(own) * 2]
    if (own === undefined) return [exampleOf(field)]
    return typeof own === 'string' ? ['b', '2', ' B'].map((more) => own + more) : []
  }
  return candidates().find((each) => each !== own && contract.faultIn(schema, each) === undefined)
}

/** A wrong OTP has used up a try, so its refusal is kept: the same OTP for another collection is another request. */
export async function authorizationUnderKey(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('an authorization under an Idempotency-Key that was used')
  const [first, other] = [
    await driver.collect({ msisdn: driver.phone('005') }),
    await driver.collect({ msisdn: driver.phone('005') }),
  ]
  await driver.advance(0)
  const key = { 'idempotency-key': driver.reference() }
  const wrong = await driver.authorize(first, WRONG_OTP, key)
  driver.expect('authorizeCollection', wrong, 400, 'a wrong OTP under an Idempotency-Key', SOURCE)
  const rows = [
    ['internal_reference', other, WRONG_OTP],
    ['otp', first, WRONG_OTP + 1],
  ] as const
  for (const [name, collection, otp] of rows) {
    const reply = await driver.authorize(collection, otp, key)
    const rule = `another ${name} under the same Idempotency-Key`
    driver.expect('authorizeCollection', reply, 409, rule, SOURCE)
  }
}
