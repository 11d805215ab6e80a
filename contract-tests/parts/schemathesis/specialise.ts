import { mobilePayout } from '../../driver/bodies.ts'
import { CALLING_CODES, NATIONAL_DIGITS } from '../../driver/account-numbers.ts'
import type { Option } from '../../driver/provider-options.ts'
import { present } from '../../harness/part.ts'
import type { OpenApiDocument, Schema } from '../../schemathesis-runner-wrapper/index.ts'
import type { SeededPayments } from './seed-payments.ts'

/** @throws Error when the contract has changed and this copy must follow it */
function named<Kind>(pieces: Readonly<Record<string, Kind>> | undefined, name: string): Kind {
  const piece = pieces?.[name]
  if (piece === undefined) throw new Error(`there is no ${name}`)
  return piece
}

/** The JSON body of a POST. @throws Error when the contract has changed and this copy must follow it */
const bodyOf = ({ paths }: OpenApiDocument, path: string) =>
  named(named(paths, path).post?.requestBody?.content, 'application/json')

/** Replaces example values by ones that exist on this gateway. No schema changes. */
export function withLiveExamples(
  contract: OpenApiDocument,
  { merchantReference, awaitingOtp, completed, refund, payout, batch }: SeededPayments,
): OpenApiDocument {
  named(contract.components?.parameters, 'MerchantReferenceInPath').example = merchantReference
  named(contract.components?.parameters, 'RefundReferenceInPath').example = refund
  named(contract.components?.parameters, 'BatchReferenceInPath').example = batch
  bodyOf(contract, '/payout/cancel').examples = { over: { value: { merchant_reference: payout } } }
  bodyOf(contract, '/payout/batches').examples = {
    one: {
      value: {
        batch_reference: merchantReference,
        payouts: [mobilePayout({ merchant_reference: `ROW-${merchantReference}`, account_number: '256772000123' })],
      },
    },
  }
  bodyOf(contract, '/collections/refund').examples = Object.fromEntries(
    completed.map((collection_reference) => [
      collection_reference,
      {
        value: {
          merchant_reference: `REFUND-${collection_reference}`,
          collection_reference,
          amount: 500,
          reason: 'Order cancelled',
        },
      },
    ]),
  )
  bodyOf(contract, '/collections/authorize').examples = Object.fromEntries(
    awaitingOtp.map((internal_reference, index) => [
      `waiting_${index}`,
      { value: { internal_reference, otp: 123456 } },
    ]),
  )
  return contract
}

/** One option per currency, method and direction, at most `max` of a method: others differ in numbers only. */
export function representative(options: readonly Option[], max: number): readonly Option[] {
  const isFirst = ({ type, method, currency }: Option, index: number): boolean =>
    options.findIndex((each) => each.type === type && each.method === method && each.currency === currency) === index
  const groups = Map.groupBy(options.filter(isFirst), ({ type, method }) => `${type} ${method}`)
  return [...groups.values()].flatMap((group) => group.slice(0, max))
}

/** The contract with this gateway's business rules in its schemas: a valid request of this copy must be accepted. */
export function specialise(
  contract: OpenApiDocument,
  options: readonly Option[],
  seeded: SeededPayments,
): OpenApiDocument {
  const { schemas = {}, parameters } = withLiveExamples(contract, seeded).components ?? {}
  const by = (type: Option['type'], method: Option['method']): readonly Option[] =>
    options.filter((option) => option.type === type && option.method === method)

  const mobile = by('COLLECTION', 'MOBILE_MONEY')
  const firstMobile = present(mobile[0], 'provider of mobile money collections')
  const collections = [
    ...mobile.map((provider) =>
      branch(named(schemas, 'MobileMoneyCollectionRequest'), provider, {
        msisdn: phoneNumber(provider),
        mobile_money_hpp: only(false),
        redirect_url: REDIRECT_URL,
      }),
    ),
    // The payment page needs a redirect address.
    branch(
      named(schemas, 'MobileMoneyCollectionRequest'),
      firstMobile,
      { msisdn: phoneNumber(firstMobile), mobile_money_hpp: only(true), redirect_url: REDIRECT_URL },
      ['mobile_money_hpp', 'redirect_url'],
    ),
    ...by('COLLECTION', 'BANK').map((provider) =>
      branch(named(schemas, 'BankCollectionRequest'), provider, { redirect_url: REDIRECT_URL }),
    ),
  ]
  const payouts = [
    ...by('PAYOUT', 'MOBILE_MONEY').map((provider) =>
      branch(named(schemas, 'MobileMoneyPayoutRequest'), provider, { account_number: phoneNumber(provider) }),
    ),
    ...by('PAYOUT', 'BANK').map((provider) => {
      const params = structuredClone(named(schemas, 'BankPayoutExtraParams'))
      const bank_code = { type: 'string', enum: provider.banks.map(({ code }) => code) }
      params.properties = { ...params.properties, bank_code }
      return branch(named(schemas, 'BankPayoutRequest'), provider, { extra_params: params })
    }),
  ]
  schemas.CollectionRequest = { oneOf: collections }
  schemas.PayoutRequest = { oneOf: payouts }
  withExpected(schemas, firstMobile)
  // The contract's own examples name numbers and banks that this copy's branches restrict.
  for (const path of ['/collections/initialize', '/collections/expect', '/payout/send-funds'])
    delete bodyOf(contract, path).examples

  // A description of spaces only is invalid, which no pattern of the contract says.
  named(schemas, 'TransactionDescription').pattern = '^[0-9A-Za-z][^\\x00-\\x1f\\x7f-\\x9f]+$'

  withSeeded(schemas, seeded)
  const codes = options.filter(({ type }) => type === 'COLLECTION').map(({ code }) => code)
  named(parameters, 'ProviderOfBanks').schema = { type: 'string', enum: codes }
  withPeriods(parameters)
  withNumbers(parameters, firstMobile)
  return contract
}

/** That `to` is after `from`, and at most 31 days later, no schema says. */
function withPeriods(parameters: Readonly<Record<string, { schema?: unknown }>> | undefined): void {
  const [from, to] = [named(parameters, 'FromOfStatement'), named(parameters, 'ToOfStatement')]
  from.schema = { type: 'string', enum: ['2026-11-01T00:00:00Z', '2026-11-09T08:30:00.500Z'] }
  to.schema = { type: 'string', enum: ['2026-11-27T00:00:00Z', '2026-12-01T00:00:00Z'] }
}

/** An account that its operator knows, and a number of one country. */
function withNumbers(
  parameters: Readonly<Record<string, { schema?: unknown }>> | undefined,
  { code, currency, prefixes: [prefix = ''] }: Option,
): void {
  const number = `${named(CALLING_CODES, currency)}${prefix.padEnd(NATIONAL_DIGITS, '2')}`
  for (const name of ['NumberOfHolder', 'NumberToPlace'])
    named(parameters, name).schema = { type: 'string', enum: [number, `+${number}`] }
  named(parameters, 'ProviderOfHolder').schema = { type: 'string', enum: [code] }
  named(parameters, 'CountryOfNumber').schema = { type: 'string', enum: ['UG', 'KE'] }
}

/** A payment of any amount that the provider takes. */
function withExpected(schemas: Record<string, Schema>, provider: Option): void {
  schemas.ExpectedPaymentRequest = branch(named(schemas, 'ExpectedPaymentRequest'), provider, {
    min_amount: { type: 'number', enum: [provider.min] },
    max_amount: { type: 'number', enum: [provider.max] },
  })
}

/** Collections that wait for their OTP, and those that can be refunded. */
function withSeeded(schemas: Readonly<Record<string, Schema>>, { awaitingOtp, completed }: SeededPayments): void {
  const authorize = named(schemas, 'AuthorizeCollectionRequest')
  const internal_reference = { type: 'string', enum: [...awaitingOtp] }
  const otp = { type: 'integer', enum: [123456] }
  authorize.properties = { ...authorize.properties, internal_reference, otp }
  const refunded = named(schemas, 'RefundRequest')
  refunded.properties = {
    ...refunded.properties,
    collection_reference: { type: 'string', enum: [...completed] },
    amount: { type: 'integer', minimum: 1, maximum: 20 },
  }
}

const only = (value: boolean) => ({ type: 'boolean', enum: [value] })
// Every such host is valid, and none looks like a number: `https://1.2` is no URL at all.
const REDIRECT_URL = { type: 'string', maxLength: 200, pattern: '^https://[a-z]{1,20}\\.[a-z]{2,10}/[a-z]{0,20}$' }

function phoneNumber({ currency, prefixes }: Option): Schema {
  const callingCode = named(CALLING_CODES, currency)
  const numbers = prefixes.map((prefix) => `${prefix}[0-9]{${NATIONAL_DIGITS - prefix.length}}`)
  // All countries of the sandbox have the trunk prefix 0.
  return {
    type: 'string',
    maxLength: 13,
    pattern: `^(?:[+]?${callingCode}|0)(?:${numbers.join('|')})$`,
  }
}

function branch(
  request: Schema,
  { code, currency, min, max }: Option,
  properties: Record<string, Schema>,
  required: readonly string[] = [],
): Schema {
  const decimals =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0
  // A quarter has two decimals and is exact in binary, so no tool can take it for a third decimal.
  const amount = {
    minimum: min,
    maximum: max,
    ...(decimals === 0 ? { type: 'integer' } : { type: 'number', multipleOf: 0.25 }),
  }
  return {
    ...structuredClone(request),
    required: [...new Set([...(request.required ?? []), ...required])],
    properties: {
      ...structuredClone(request.properties),
      provider_code: { type: 'string', enum: [code] },
      currency: { type: 'string', enum: [currency] },
      amount,
      ...properties,
    },
  }
}
