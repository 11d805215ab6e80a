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

/**
 * Refusals in examples that no schema expresses: business rules, with the providers of the sandbox. Limits, decimals,
 * unknown codes and numbers of other providers are in `inputs`, `limits` and `options`, redirects in `outgoing`, account
 * holders by their test numbers in `additions`.
 */
interface Rule {
  readonly operation: string
  readonly rule: string
  readonly status: number
  /** The request example, and the changes to it. */
  readonly body?: string
  readonly change?: Readonly<Record<string, unknown>>
  readonly parameters?: Readonly<Record<string, string>>
}

/** Airtel's number; the examples pay by MTN. */
export const NUMBER_OF_ANOTHER_OPERATOR = '256752000123'
export const UNKNOWN_REFERENCE = 'MLP0000000000000000000000'

/** An example body with some fields changed. */
const bodyRule =
  (operation: string, body: string) =>
  (rule: string, change: NonNullable<Rule['change']>, status = 400): Rule => ({ operation, rule, status, body, change })
const collection = bodyRule('initializeCollection', 'collection_mobile_money')
const bankCollection = bodyRule('initializeCollection', 'collection_bank')
const payout = bodyRule('sendFunds', 'payout_mobile_money')
const bankPayout = bodyRule('sendFunds', 'payout_bank')
const expected = bodyRule('expectPayment', 'expected_exact')
const password = bodyRule('authorizeCollection', 'otp')
const lookup = (operation: string, rule: string, status: number, parameters: Rule['parameters'] = {}): Rule => ({
  operation,
  rule,
  status,
  parameters,
})
const MOBILE_MONEY = { provider_code: 'mtn_ug', currency: 'UGX' }
const BANK = { provider_code: 'bank_ng', currency: 'NGN' }
const RULES: readonly Rule[] = [
  collection('a collection by mobile money with a provider of banks', BANK),
  payout('a payout by mobile money with a provider of banks', BANK),
  bankCollection('a bank collection with a provider of mobile money', MOBILE_MONEY),
  bankPayout('a bank payout with a provider of mobile money', MOBILE_MONEY),
  collection('a collection in a currency without a rate', { currency: 'USD' }),
  payout('a payout in a currency without a rate', { currency: 'USD' }),
  collection('a collection for nothing', { description: ' '.repeat(12) }),
  payout('a payout for nothing', { description: ' '.repeat(12) }),
  expected('an expected payment for nothing', { description: ' '.repeat(12) }),
  collection('a collection on the payment page without redirect_url', { mobile_money_hpp: true }),
  ...['description', 'customer_name'].flatMap((field) => [
    collection(`a collection whose ${field} turns its direction`, { [field]: 'Amina \u202eNakato' }),
    payout(`a payout whose ${field} turns its direction`, { [field]: 'Amina \u202eNakato' }),
    expected(`an expected payment whose ${field} turns its direction`, { [field]: 'Amina \u202eNakato' }),
  ]),
  collection('a collection that is refused', { merchant_reference: 'DECLARED-MENDED', amount: 1 }),
  collection('the collection that was refused, without its fault', { merchant_reference: 'DECLARED-MENDED' }, 202),
  password('an OTP for an unknown collection', { internal_reference: UNKNOWN_REFERENCE }, 404),
  lookup('verifyTransaction', 'verify with an unknown reference', 404, { merchant_reference: 'ORDER-NOBODY-MADE' }),
  lookup('listPaymentProviders', 'providers of banks', 200, { currency: 'NGN', transaction_type: 'PAYOUT' }),
  lookup('listPayoutBanks', 'banks of a provider without bank payouts', 200, { provider_code: 'mtn_ug' }),
  lookup('listWalletBalances', 'wallets of a currency without any', 200, { currency: 'XOF' }),
  lookup('findAccountHolder', 'an operator that is silent', 503, { provider_code: 'mtn_ug', msisdn: '256772000013' }),
  lookup('findAccountHolder', 'an operator that does not tell', 200, {
    provider_code: 'mpesa_ke',
    msisdn: '254712345678',
  }),
  lookup('findAccountHolder', 'a number of another provider', 400, { provider_code: 'mtn_ug', msisdn: '256752000123' }),
  lookup('findAccountHolder', 'a number without its beginning', 400, { provider_code: 'mtn_ug', msisdn: '772000123' }),
  lookup('findAccountHolder', 'holders at an unknown provider', 400, { provider_code: 'mtn_xx' }),
  lookup('predictProvider', 'a number of no provider', 200, { msisdn: '46701234567', country: 'SE' }),
  lookup('predictProvider', 'what is no number', 400, { msisdn: '256772' }),
  lookup('predictProvider', 'a local number of several countries', 400, { msisdn: '0772000123' }),
  lookup('predictProvider', 'a country that does not exist', 400, { msisdn: '0772000123', country: 'ZZ' }),
]

export function sandboxRequests({ contract, request, next }: SandboxInput): DeclaredCase[] {
  // Runs share the account.
  const run = String(next()).padStart(8, '0')
  return RULES.flatMap(({ operation: id, rule, status, body: example, change = {}, parameters = {} }) => {
    const operation = contract.operations.find((each) => each.id === id)
    if (!operation) return []
    const { body, ...draft } = exampleDraft(contract, operation, { next, example, parameters })
    if (example !== undefined && body === undefined) return []
    const { merchant_reference: reference } = change as { readonly merchant_reference?: string }
    const changed = {
      ...fieldsOf(body),
      ...change,
      ...(reference !== undefined && { merchant_reference: `${reference}-${run}` }),
    }
    const sent = request(operation, { ...draft, ...(example !== undefined && { body: changed }) })
    return [{ operation, rule, expect: 'success', statuses: [status], request: sent }]
  })
}
