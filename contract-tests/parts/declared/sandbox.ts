import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import type { DeclaredCase } from '../../driver/declared-case.ts'
import type { Draft } from '../../driver/draft.ts'
import { exampleDraft } from '../../driver/our-account.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'

interface SandboxInput {
  readonly contract: Contract
  readonly request: (operation: Operation, draft: Draft) => WireRequest
  readonly next: () => number
}

/** Refusals in examples that no schema expresses: business rules, with the providers of the sandbox. */
interface Rule {
  readonly operation: string
  readonly rule: string
  readonly status: number
  /** The request example, and the changes to it. */
  readonly body?: string
  readonly change?: Readonly<Record<string, unknown>>
  /** The amount as it is written on the wire, in a form that JSON.stringify never produces. */
  readonly digits?: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly empty?: true
}

/** Airtel's number; the examples pay by MTN. */
export const NUMBER_OF_ANOTHER_OPERATOR = '256752000123'
/** Placeholder of an unused number: the examples' own begin with 25677. */
const OWN_NUMBER = '256780000123'
export const UNKNOWN_REFERENCE = 'MLP0000000000000000000000'

/** An example body with some fields changed. */
const bodyRule =
  (operation: string, body: string) =>
  (rule: string, change: NonNullable<Rule['change']>, status = 400): Rule => ({ operation, rule, status, body, change })
const collection = bodyRule('initializeCollection', 'collection_mobile_money')
const bankCollection = bodyRule('initializeCollection', 'collection_bank')
const payout = bodyRule('sendFunds', 'payout_mobile_money')
const bankPayout = bodyRule('sendFunds', 'payout_bank')
const password = bodyRule('authorizeCollection', 'otp')
const lookup = (operation: string, rule: string, status: number, parameters: Rule['parameters'] = {}): Rule => ({
  operation,
  rule,
  status,
  parameters,
})
const MOBILE_MONEY = { provider_code: 'mtn_ug', currency: 'UGX' }

const RULES: readonly Rule[] = [
  collection('a collection by an unknown provider', { provider_code: 'mtn_xx' }),
  collection('a collection by mobile money with a provider of banks', { provider_code: 'bank_ng', currency: 'NGN' }),
  collection('a collection from a phone number of another operator', { msisdn: NUMBER_OF_ANOTHER_OPERATOR }),
  collection('a collection from a phone number without its beginning', { msisdn: '772000123' }),
  collection('a collection with more decimals than the currency has', { amount: 5000.5 }),
  collection('a collection below the least amount', { amount: 1 }),
  collection('a collection above the largest amount', { amount: 3_000_001 }),
  collection('a collection of 0', { amount: 0 }),
  collection('a collection of less than 0', { amount: -5000 }),
  { ...collection('a collection with more digits than the currency has', {}), digits: '5000.0000000000001' },
  { ...collection('a collection with zeros for decimals', {}, 202), digits: '5000.00' },
  collection('a collection for nothing', { description: ' '.repeat(12) }),
  collection('a collection in a currency without a rate', { currency: 'USD' }),
  collection('a collection on the payment page without redirect_url', { mobile_money_hpp: true }),
  collection('a collection with a redirect_url that is not https', { redirect_url: 'http://shop.example/paid' }),
  collection('a collection with a redirect_url of an unusual character', { redirect_url: 'https://shop.example/a|b' }),
  collection('a collection with a redirect_url of a lone percent sign', { redirect_url: 'https://shop.example/50%' }),
  collection('a collection with a redirect_url of credentials', { redirect_url: 'https://amina:x@shop.example/paid' }),
  collection('a collection with a redirect_url of a port that no host has', {
    redirect_url: 'https://shop.example:99999/',
  }),
  // The daily limit is 7,000,000.
  ...[202, 202, 400].map((status) =>
    collection('a collection within and over the daily limit', { amount: 3_000_000, msisdn: OWN_NUMBER }, status),
  ),
  collection('a collection', { merchant_reference: 'DECLARED-TWICE' }, 202),
  collection('a collection with a reference that was used', { merchant_reference: 'DECLARED-TWICE' }, 409),
  collection('a collection that is refused', { merchant_reference: 'DECLARED-MENDED', amount: 1 }),
  collection('the collection that was refused, without its fault', { merchant_reference: 'DECLARED-MENDED' }, 202),
  payout('a payout by an unknown provider', { provider_code: 'mtn_xx' }),
  payout('a payout by mobile money with a provider of banks', { provider_code: 'bank_ng', currency: 'NGN' }),
  payout('a payout to a phone number of another operator', { account_number: NUMBER_OF_ANOTHER_OPERATOR }),
  payout('a payout to a phone number without its beginning', { account_number: '772000123' }),
  payout('a payout with more decimals than the currency has', { amount: 20_000.5 }),
  payout('a payout below the least amount', { amount: 1 }),
  payout('a payout of 0', { amount: 0 }),
  { ...payout('a payout with more digits than the currency has', {}), digits: '20000.0000000000001' },
  ...['description', 'customer_name'].flatMap((field) => [
    collection(`a collection whose ${field} turns its direction`, { [field]: 'Amina \u202eNakato' }),
    payout(`a payout whose ${field} turns its direction`, { [field]: 'Amina \u202eNakato' }),
  ]),
  payout('a payout for nothing', { description: ' '.repeat(12) }),
  payout('a payout in a currency without a rate', { currency: 'USD' }),
  ...[202, 202, 400].map((status) =>
    payout('a payout within and over the daily limit', { amount: 3_000_000, account_number: OWN_NUMBER }, status),
  ),
  payout('a payout', { merchant_reference: 'DECLARED-PAID-TWICE' }, 202),
  payout('a payout with a reference that was used', { merchant_reference: 'DECLARED-PAID-TWICE' }, 409),
  bankPayout('a payout to an unknown bank', { extra_params: { bank_code: 'no_such_bank' } }),
  bankCollection('a bank collection with a provider of mobile money', MOBILE_MONEY),
  lookup('listPayoutBanks', 'banks of an unknown provider', 400, { provider_code: 'mtn_xx' }),
  bankPayout('a bank payout with a provider of mobile money', MOBILE_MONEY),
  password('an OTP for an unknown collection', { internal_reference: UNKNOWN_REFERENCE }, 404),
  lookup('verifyTransaction', 'verify with an unknown reference', 404, { merchant_reference: 'ORDER-NOBODY-MADE' }),
  {
    ...lookup('listPaymentProviders', 'providers of a currency without any', 200, {
      currency: 'XOF',
      transaction_type: 'COLLECTION',
    }),
    empty: true,
  },
  lookup('listPaymentProviders', 'providers of banks', 200, { currency: 'NGN', transaction_type: 'PAYOUT' }),
  {
    ...lookup('listPayoutBanks', 'banks of a provider without bank payouts', 200, { provider_code: 'mtn_ug' }),
    empty: true,
  },
  { ...lookup('listWalletBalances', 'wallets of a currency without any', 200, { currency: 'XOF' }), empty: true },
]

export function sandboxRequests({ contract, request, next }: SandboxInput): DeclaredCase[] {
  // Runs share the account: a limit that is used up here must not depend on an earlier run.
  const run = String(next()).padStart(8, '0')
  return RULES.flatMap(
    ({ operation: id, rule, status, body: example, change = {}, digits, parameters = {}, empty }) => {
      const operation = contract.operations.find((each) => each.id === id)
      if (!operation) return []
      const { body, ...draft } = exampleDraft(contract, operation, { next, example, parameters })
      if (example !== undefined && body === undefined) return []
      const whole = { ...fieldsOf(body), ...ofThisRun(change, run) }
      return [
        {
          operation,
          rule,
          expect: 'success',
          statuses: [status],
          ...(empty && { empty }),
          request: request(operation, {
            ...draft,
            ...(example !== undefined && { body: digits === undefined ? whole : withAmount(whole, digits) }),
          }),
        },
      ]
    },
  )
}

const withAmount = (whole: object, digits: string): Buffer =>
  Buffer.from(JSON.stringify({ ...whole, amount: 0 }).replace('"amount":0', `"amount":${digits}`))

function ofThisRun(change: Readonly<Record<string, unknown>>, run: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => {
      if (name === 'merchant_reference') return [name, `${String(value)}-${run}`]
      return value === OWN_NUMBER ? [name, `25678${run.slice(-4)}123`] : [name, value]
    }),
  )
}
