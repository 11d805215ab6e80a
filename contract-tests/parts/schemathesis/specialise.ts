import { CALLING_CODES, NATIONAL_DIGITS } from '../../driver/account-numbers.ts'
import { present } from '../../harness/part.ts'
import type { OpenApiDocument, Schema } from '../../schemathesis-runner-wrapper/index.ts'
import type { LiveProvider, ReferenceData, SeededPayments } from './reference-data.ts'

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
  { merchantReference, awaitingOtp }: SeededPayments,
): OpenApiDocument {
  named(contract.components?.parameters, 'MerchantReferenceInPath').example = merchantReference
  const media = bodyOf(contract, '/collections/authorize')
  media.examples = Object.fromEntries(
    awaitingOtp.map((internal_reference, index) => [
      `waiting_${index}`,
      { value: { internal_reference, otp: 123456 } },
    ]),
  )
  return contract
}

/** One provider per currency and method, at most `max` per method: others differ in numbers only, and cost as much. */
export function representative(data: ReferenceData, max: number): ReferenceData {
  const few = (providers: readonly LiveProvider[]) =>
    Object.values(Object.groupBy(providers, ({ transaction_method }) => transaction_method)).flatMap((group = []) =>
      group
        .filter(
          ({ transaction_currency }, index) =>
            group.findIndex((other) => other.transaction_currency === transaction_currency) === index,
        )
        .slice(0, max),
    )
  return { ...data, collection: few(data.collection), payout: few(data.payout) }
}

/** The contract with this gateway's business rules in its schemas: a valid request of this copy must be accepted. */
export function specialise(contract: OpenApiDocument, data: ReferenceData, seeded: SeededPayments): OpenApiDocument {
  const { schemas = {}, parameters } = withLiveExamples(contract, seeded).components ?? {}
  const byMethod = (providers: readonly LiveProvider[], method: string) =>
    providers.filter(({ transaction_method }) => transaction_method === method)

  const firstMobile = present(byMethod(data.collection, 'MOBILE_MONEY')[0], 'provider of mobile money collections')
  const collections = [
    ...byMethod(data.collection, 'MOBILE_MONEY').map((provider) =>
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
    ...byMethod(data.collection, 'BANK').map((provider) =>
      branch(named(schemas, 'BankCollectionRequest'), provider, { redirect_url: REDIRECT_URL }),
    ),
  ]
  const payouts = [
    ...byMethod(data.payout, 'MOBILE_MONEY').map((provider) =>
      branch(named(schemas, 'MobileMoneyPayoutRequest'), provider, { account_number: phoneNumber(provider) }),
    ),
    ...byMethod(data.payout, 'BANK').map((provider) => {
      const params = structuredClone(named(schemas, 'BankPayoutExtraParams'))
      params.properties = {
        ...params.properties,
        bank_code: { type: 'string', enum: [...(data.banks.get(provider.provider_code) ?? [])] },
      }
      return branch(named(schemas, 'BankPayoutRequest'), provider, { extra_params: params })
    }),
  ]
  schemas.CollectionRequest = { oneOf: collections }
  schemas.PayoutRequest = { oneOf: payouts }
  // The contract's own examples name numbers and banks that this copy's branches restrict.
  for (const path of ['/collections/initialize', '/payout/send-funds']) delete bodyOf(contract, path).examples

  // A description of spaces only is invalid, which no pattern of the contract says.
  named(schemas, 'TransactionDescription').pattern = '^[0-9A-Za-z][^\\x00-\\x1f\\x7f-\\x9f]+$'

  const authorize = named(schemas, 'AuthorizeCollectionRequest')
  authorize.properties = {
    ...authorize.properties,
    internal_reference: { type: 'string', enum: [...seeded.awaitingOtp] },
    otp: { type: 'integer', enum: [123456] },
  }
  named(parameters, 'ProviderOfBanks').schema = {
    type: 'string',
    enum: data.collection.map(({ provider_code }) => provider_code),
  }
  return contract
}

const only = (value: boolean) => ({ type: 'boolean', enum: [value] })
// Every such host is valid, and none looks like a number: `https://1.2` is no URL at all.
const REDIRECT_URL = { type: 'string', maxLength: 200, pattern: '^https://[a-z]{1,20}\\.[a-z]{2,10}/[a-z]{0,20}$' }

function phoneNumber({ transaction_currency, option_prefixes = [] }: LiveProvider): Schema {
  const callingCode = named(CALLING_CODES, transaction_currency)
  const numbers = option_prefixes.map((prefix) => `${prefix}[0-9]{${NATIONAL_DIGITS - prefix.length}}`)
  // All countries of the sandbox have the trunk prefix 0.
  return {
    type: 'string',
    maxLength: 13,
    pattern: `^(?:[+]?${callingCode}|0)(?:${numbers.join('|')})$`,
  }
}

function branch(
  request: Schema,
  { provider_code, transaction_currency, min_amount, max_amount }: LiveProvider,
  properties: Record<string, Schema>,
  required: readonly string[] = [],
): Schema {
  const decimals =
    new Intl.NumberFormat('en', { style: 'currency', currency: transaction_currency }).resolvedOptions()
      .maximumFractionDigits ?? 0
  // A quarter has two decimals and is exact in binary, so no tool can take it for a third decimal.
  const amount = {
    minimum: min_amount,
    maximum: max_amount,
    ...(decimals === 0 ? { type: 'integer' } : { type: 'number', multipleOf: 0.25 }),
  }
  return {
    ...structuredClone(request),
    required: [...new Set([...(request.required ?? []), ...required])],
    properties: {
      ...structuredClone(request.properties),
      provider_code: { type: 'string', enum: [provider_code] },
      currency: { type: 'string', enum: [transaction_currency] },
      amount,
      ...properties,
    },
  }
}
