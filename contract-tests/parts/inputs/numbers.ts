import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { KINDS, operationOf, ACCEPTED, REFUSED, type Kind } from './input-requests.ts'
import type { ExpectedReply } from '../../driver/payment-driver.ts'
import { optionOf } from '../../driver/provider-options.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Ways to write 1000 and 1500 in JSON (RFC 8259, section 6). */
const WRITTEN = words(`
  1000 1000.0 1000.00 1000.000000000000000000000000 1e3 1E3 1e+3 1E+3 1e03 1.0e3 1.5e3 0.1e4 10000e-1 1000e0 1000e-0`)
const NO_JSON = words('+1000 01000 1000. .1e4 0x3e8 1_000 NaN Infinity 1e １０００ 1,000 --1')
const OUTSIDE = [...words('0 -0 0.0 -0.0 0e5 -1 -1e3 1e400 9007199254740993 1e12'), '9'.repeat(40)]
const DECIMALS = words('1000.5 1000.0000000000000000001 10001e-1 1000.10 123456789e-5')
const OF_CENTS = words('5000.25 5000.250 500025e-2 5.00025e3 50002.5E-1')
const SOURCE = 'RFC 8259, section 6, and the contract: an amount is read digit for digit'

/** Each way to write a number in JSON, with its value. */
export async function numbers(fixture: DriverFixture): Promise<void> {
  for (const [kind, type] of [
    ['a collection', 'COLLECTION'],
    ['a payout', 'PAYOUT'],
  ] as const) {
    const option = await optionOf(fixture.driver('the providers'), 'mtn_ug', type, 'UGX')
    if (!option) return fixture.skip('amounts: mtn_ug is not listed as the sandbox has it')
    const { min, max } = option
    const limits = { status: 400, message: refusal('amount_range', { '500': String(min), '3000000': String(max) }) }
    const decimals = { status: 400, message: refusal('amount_decimals') }
    const rowsOf = (texts: readonly string[], expected: ExpectedReply) => texts.map((text) => [text, expected] as const)
    const rows = [
      ...rowsOf([...WRITTEN, `${min}.0`, `${max / 1e6}e6`], ACCEPTED),
      ...rowsOf(OUTSIDE, limits),
      ...rowsOf([...DECIMALS, `${max - 1}.9999999999999999999`], decimals),
      ...rowsOf(NO_JSON, REFUSED),
    ]
    await forEachOf(rows, ([text, expected]) => written(fixture, kind, text, expected))
  }
  await forEachOf(OF_CENTS, (text) => written(fixture, 'a bank payout', text, ACCEPTED))
}

async function written(fixture: DriverFixture, kind: Kind, text: string, expected: ExpectedReply): Promise<void> {
  const driver = fixture.driver(`an amount written ${text.slice(0, 40)}`)
  const body = KINDS[kind](driver)
  const json = JSON.stringify({ ...body, amount: 0 }).replace('"amount":0', `"amount":${text}`)
  const reply = await driver.post(operationOf(kind), json)
  const rule = `amount: a way to write it is ${expected === ACCEPTED ? 'refused' : `not refused: ${String(expected.message ?? 'no JSON')}`}`
  const isRight = driver.expect(operationOf(kind), reply, expected, rule, `${SOURCE}; ${text}`)
  // The rule "constant fields" compares the amount.
  if (isRight && expected === ACCEPTED) await driver.verify(body.merchant_reference)
}
