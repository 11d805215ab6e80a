import type { DriverFixture } from '../../driver/fixture.ts'
import { KINDS, operationOf, IS_ACCEPTED, type Kind } from './input-requests.ts'
import { inTurns } from './texts.ts'
import type { ExpectedReply } from '../../driver/payment-driver.ts'
import { optionOf } from '../../driver/provider-options.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

/** The value that JSON defines for it (RFC 8259, section 6). */
const MEANINGS: Readonly<Record<string, number>> = {
  '1000': 1000,
  '1000.0': 1000,
  '1000.00': 1000,
  '1000.000000000000000000000000': 1000,
  '1e3': 1000,
  '1E3': 1000,
  '1e+3': 1000,
  '1E+3': 1000,
  '1e03': 1000,
  '1.0e3': 1000,
  '1.5e3': 1500,
  '0.1e4': 1000,
  '10000e-1': 1000,
  '1000e0': 1000,
  '1000e-0': 1000,
  '123456789e-5': 1234.56789,
}
const NO_JSON = [
  '+1000',
  '01000',
  '1000.',
  '.1e4',
  '0x3e8',
  '1_000',
  'NaN',
  'Infinity',
  '1e',
  '１０００',
  '1,000',
  '--1',
]
const NOT_JSON: ExpectedReply = { status: 400, message: refusal('json_malformed') }
const DECIMALS = refusal('amount_decimals')
const JSON_SOURCE = 'RFC 8259, section 6, and the contract: an amount is read digit for digit'

/** Each way to write a number in JSON, with its value. */
export async function numbers(fixture: DriverFixture): Promise<void> {
  const option = await optionOf(fixture.target, 'mtn_ug', 'COLLECTION', 'UGX')
  if (!option) return fixture.skip('amounts: mtn_ug is not listed as the sandbox has it')
  const { min, max } = option
  const limits: ExpectedReply = {
    status: 400,
    message: refusal('amount_range', { '500': String(min), '3000000': String(max) }),
  }
  const outside = ['0', '-0', '0.0', '-0.0', '0e5', '-1', '-1e3', '1e400', '9'.repeat(40), '9007199254740993', '1e12']
  const decimals = ['1000.5', '1000.0000000000000000001', '10001e-1', `${max - 1}.9999999999999999999`, '1000.10']
  const rows: readonly (readonly [string, ExpectedReply])[] = [
    ...Object.entries(MEANINGS).map(([text, value]): [string, ExpectedReply] =>
      Number.isInteger(value) ? [text, IS_ACCEPTED] : [text, { status: 400, message: DECIMALS }],
    ),
    [`${min}.0`, IS_ACCEPTED],
    [`${max / 1e6}e6`, IS_ACCEPTED],
    ...outside.map((text): [string, ExpectedReply] => [text, limits]),
    ...decimals.map((text): [string, ExpectedReply] => [text, { status: 400, message: DECIMALS }]),
    ...NO_JSON.map((text): [string, ExpectedReply] => [text, NOT_JSON]),
  ]
  await inTurns(rows, async ([text, expected]) => {
    await spelt(fixture, 'a collection', text, expected)
    if (expected === IS_ACCEPTED) await spelt(fixture, 'a payout', text, expected)
  })
  await inTurns(['5000.25', '5000.250', '500025e-2', '5.00025e3', '50002.5E-1'], (text) =>
    spelt(fixture, 'a bank payout', text, IS_ACCEPTED),
  )
  await password(fixture)
}

async function spelt(fixture: DriverFixture, kind: Kind, text: string, expected: ExpectedReply): Promise<void> {
  const driver = fixture.driver(`an amount written ${text.slice(0, 40)}`)
  const body = KINDS[kind](driver)
  const operation = operationOf(kind)
  const reply = await driver.post(
    operation,
    JSON.stringify({ ...body, amount: 0 }).replace('"amount":0', `"amount":${text}`),
  )
  const rule =
    expected.status === 202
      ? 'amount: a way to write it in JSON is refused'
      : `amount: what must be refused with "${wordsOf(expected)}"`
  if (!driver.expect(operation, reply, expected, rule, `${JSON_SOURCE}; ${text}`) || expected.status !== 202) return
  const { request_amount: reported } = await driver.verify(body.merchant_reference)
  const what = `an amount written ${text} is ${Number(text)}, verify returned ${String(reported)}`
  driver.hold('verifyTransaction', reported === Number(text), 'amount: returned in another form than it was sent', what)
}

const wordsOf = ({ message = '' }: ExpectedReply): string => (typeof message === 'string' ? message : message.source)

/** 123456.0 is an integer (JSON Schema 2020-12, section 6.1.1). */
async function password(fixture: DriverFixture): Promise<void> {
  for (const text of ['123456.0', '1.23456e5', '1234560e-1']) {
    const driver = fixture.driver(`an OTP written ${text}`)
    const { data } = await driver.collect({ msisdn: driver.phone('005') })
    await driver.advance(0)
    const body = `{"internal_reference":${JSON.stringify(data.internal_reference)},"otp":${text}}`
    const reply = await driver.post('authorizeCollection', body)
    driver.expect(
      'authorizeCollection',
      reply,
      IS_ACCEPTED,
      'otp: a way to write it in JSON is refused',
      `JSON Schema; ${text}`,
    )
  }
}
