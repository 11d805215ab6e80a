import { expect, test } from 'vitest'
import { editorWith, type Editor } from './testing/editor.ts'

// Checks messages where developers look: inside the object literal of a call, while they write it and while it is
// wrong.

type Fields = Readonly<Record<string, string>>

const PHONE: Fields = {
  transaction_method: "'MOBILE_MONEY'",
  provider_code: "'mtn_ug'",
  merchant_reference: "'ORDER-2026-0001'",
  msisdn: "'256772000123'",
  currency: "'UGX'",
  amount: '5000',
  description: "'Two coffees'",
}
const HOSTED: Fields = { ...PHONE, mobile_money_hpp: 'true', redirect_url: "'https://shop.example/paid'" }
const { msisdn: _msisdn, ...COMMON } = PHONE
const BANK: Fields = { ...COMMON, transaction_method: "'BANK'", redirect_url: "'https://shop.example/paid'" }
const PAYOUT: Fields = {
  ...COMMON,
  transaction_method: "'BANK'",
  account_number: "'0690000031'",
  customer_name: "'Ada Obi'",
  extra_params: "{ bank_code: 'access_bank_ng' }",
}
const OTP: Fields = { internal_reference: "'MLP0000000000000000000000'", otp: '123456' }
const EVERY_OPTIONAL: Fields = {
  customer_name: "'Amina'",
  customer_email: "'amina@shop.example'",
  redirect_url: "'https://shop.example/paid'",
  card_cipher: "'x'",
  charge_customer: 'true',
  allow_final_status_change: 'false',
}
const without = (fields: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const programOf = (call: string, fields: Fields): string => `
  import { createMalipo } from './index.ts'
  const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo', secretKey: 'sec' })
  const reply = await malipo.${call}({
${Object.entries(fields)
  .map(([name, value]) => `    ${name}: ${value},\n`)
  .join('')}  })
  export { reply }
`

/** Each row with an editor: all programs are open before the first is used, so they are compiled together. */
const inEditors = <Row extends readonly unknown[]>(
  rows: readonly Row[],
  programOfRow: (row: Row) => string,
): readonly (readonly [...Row, Editor])[] => rows.map((row) => [...row, editorWith(programOfRow(row))] as const)

const LITERALS: readonly (readonly [call: string, what: string, fields: Fields])[] = [
  ['collections.initialize', 'by phone', PHONE],
  ['collections.initialize', 'by phone, with every field', { ...PHONE, mobile_money_hpp: 'false', ...EVERY_OPTIONAL }],
  ['collections.initialize', 'on the page', HOSTED],
  ['collections.initialize', 'by bank', { ...BANK, mobile_money_hpp: 'true', ...EVERY_OPTIONAL }],
  ['collections.initialize', 'without its msisdn', without(PHONE, 'msisdn')],
  ['collections.initialize', 'just begun', { transaction_method: "'MOBILE_MONEY'", amount: '5000' }],
  ['payouts.send', 'to a bank', PAYOUT],
  ['payouts.send', 'just begun', { transaction_method: "'BANK'", amount: '5000' }],
  ['collections.authorize', 'with an OTP', OTP],
]

test.each(inEditors(LITERALS, ([call, , fields]) => programOf(call, fields)))(
  'shows the description of every field in a literal of %s %s',
  (_call, _what, fields, { hoverOver }) => {
    for (const name of Object.keys(fields))
      expect(hoverOver(name, `    ${name}: `).documentation, name).toMatch(/^[A-Z`][^]{8,}/)
  },
)

const payout = editorWith(programOf('payouts.send', PAYOUT))
test('shows the description of a nested field', () => {
  const { hoverOver } = payout
  expect(hoverOver('bank_code', '{ bank_code').documentation).toMatch(/^Unique code of a bank/)
})

const INITIALIZE = 'collections.initialize'
const RESULTS: readonly (readonly [what: string, fields: Fields, type: string])[] = [
  ['by phone', PHONE, 'CollectionAcknowledgement'],
  ['on the page', HOSTED, 'HostedCollectionAcknowledgement'],
  ['by bank', BANK, 'HostedCollectionAcknowledgement'],
]

test.each(inEditors(RESULTS, ([, fields]) => programOf(INITIALIZE, fields)))(
  'gives the result of a collection %s',
  (_what, _fields, type, { hoverOver, faults }) => {
    expect(faults()).toEqual([])
    expect(hoverOver('reply', 'const reply').type).toBe(`const reply: ${type}`)
  },
)

/** The twelve most common mistakes, and the end of the compiler's message for each. */
const MISTAKES: readonly (readonly [what: string, call: string, fields: Fields, message: RegExp])[] = [
  ['msisdn is missing', INITIALIZE, without(PHONE, 'msisdn'), missing('msisdn', 'PhoneCollectionRequest')],
  [
    'redirect_url is missing for the page',
    INITIALIZE,
    without(HOSTED, 'redirect_url'),
    missing('redirect_url', 'HostedCollectionRequest'),
  ],
  [
    'redirect_url is missing for a bank',
    INITIALIZE,
    without(BANK, 'redirect_url'),
    missing('redirect_url', 'BankCollectionRequest'),
  ],
  [
    'the reference is missing',
    INITIALIZE,
    without(PHONE, 'merchant_reference'),
    missing('merchant_reference', 'PhoneCollectionRequest'),
  ],
  [
    'the description is missing',
    INITIALIZE,
    without(PHONE, 'description'),
    missing('description', 'PhoneCollectionRequest'),
  ],
  [
    'two fields are missing',
    INITIALIZE,
    without(PHONE, 'currency', 'amount'),
    /is missing the following properties from type 'PhoneCollectionRequest': currency, amount$/,
  ],
  [
    'the method is missing',
    INITIALIZE,
    without(PHONE, 'transaction_method'),
    /Property 'transaction_method' is missing in [^]*$/,
  ],
  [
    'the method is wrong',
    INITIALIZE,
    { ...PHONE, transaction_method: "'CARD'" },
    /^Type '"CARD"' is not assignable to type '("\w+"(?: \| )?){2}'\.$/,
  ],
  [
    'the amount is a text',
    INITIALIZE,
    { ...PHONE, amount: "'5000'" },
    /^Type 'string' is not assignable to type 'number'\.$/,
  ],
  [
    'the phone number is a number',
    INITIALIZE,
    { ...PHONE, msisdn: '256772000123' },
    /^Type 'number' is not assignable to type 'string'\.$/,
  ],
  [
    'a field is misspelt',
    INITIALIZE,
    { ...without(PHONE, 'provider_code'), providerCode: "'mtn_ug'" },
    /^Object literal may only specify known properties, but 'providerCode' does not exist [^]*Did you mean to write 'provider_code'\?$/,
  ],
  [
    'the bank of a payout is missing',
    'payouts.send',
    without(PAYOUT, 'extra_params'),
    missing('extra_params', 'BankPayoutRequest'),
  ],
  // Beyond the twelve.
  [
    'an OTP is a text',
    'collections.authorize',
    { ...OTP, otp: "'123456'" },
    /^Type 'string' is not assignable to type 'number'\.$/,
  ],
  [
    'null stands for absent',
    INITIALIZE,
    { ...PHONE, customer_name: 'null' },
    /^Type 'null' is not assignable to type 'string'\.$/,
  ],
  [
    'the choice of the page is a text',
    INITIALIZE,
    { ...PHONE, mobile_money_hpp: "'true'" },
    /^Type 'string' is not assignable to type 'boolean'\.$/,
  ],
]

function missing(field: string, type: string): RegExp {
  return new RegExp(`Property '${field}' is missing in type '[^']*' but required in type '${type}'\\.$`)
}

test.each(inEditors(MISTAKES, ([, call, fields]) => programOf(call, fields)))(
  'gives one message when %s',
  (_what, _call, fields, message, editor) => {
    const faults = editor.faults()
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(message)
    expect(faults[0]).not.toMatch(/No overload matches/)
    // It lists only what is wrong.
    for (const name of ['redirect_url', 'mobile_money_hpp', 'msisdn'].filter((each) => !(each in fields)))
      if (!message.source.includes(name)) expect(faults[0]).not.toContain(`'${name}'`)
  },
)
