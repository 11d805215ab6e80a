import { bankCollection, bankPayout, mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import type { Fields } from '../../harness/json.ts'
import type { PaymentDriver, ExpectedReply } from '../../driver/payment-driver.ts'
import type { PostOperation, ApiReply } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'

export const REDIRECT_URL = 'https://shop.example/done'

/** Complete requests of each kind, each for a new payment. */
export const KINDS = {
  'a collection': (driver: PaymentDriver) =>
    mobileCollection({ merchant_reference: driver.reference(), msisdn: driver.phone(), amount: 1000 }),
  'a bank collection': (driver: PaymentDriver) =>
    bankCollection({ merchant_reference: driver.reference(), amount: 5000, redirect_url: REDIRECT_URL }),
  'a payout': (driver: PaymentDriver) =>
    mobilePayout({ merchant_reference: driver.reference(), account_number: driver.phone(), amount: 1000 }),
  'a bank payout': (driver: PaymentDriver) =>
    bankPayout({
      merchant_reference: driver.reference(),
      account_number: `05${driver.phone().slice(-8)}`,
      amount: 1000,
    }),
} as const
export type Kind = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as Kind[]
export const operationOf = (kind: Kind): PostOperation =>
  kind.endsWith('collection') ? 'initializeCollection' : 'sendFunds'

// What a reply says is compared by the rules over all traffic: its message is that of the first fault, and has the
// values of the request; a record has the fields of its request. Sections look at the status.
export const ACCEPTED: ExpectedReply = { status: 202 }
export const REFUSED: ExpectedReply = { status: 400 }

/** Sends one request with some fields changed, and checks its status. @param rule equal for the same defect */
export async function holdBody(
  fixture: DriverFixture,
  kind: Kind,
  change: Fields | ((body: Fields) => unknown),
  rule: string,
  { expected = ACCEPTED, source }: { readonly expected?: ExpectedReply; readonly source: string },
): Promise<{ readonly driver: PaymentDriver; readonly reply: ApiReply; readonly isRight: boolean }> {
  const driver = fixture.driver(`${kind}: ${rule}`)
  const whole = KINDS[kind](driver)
  const body = typeof change === 'function' ? change(whole) : { ...whole, ...change }
  const operation = operationOf(kind)
  const reply = await driver.post(operation, body)
  return { driver, reply, isRight: driver.expect(operation, reply, expected, rule, source) }
}
