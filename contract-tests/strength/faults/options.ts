import type { Fields } from '../../harness/json.ts'
import { BANKS, fieldsOf, INITIALIZE, PAYMENTS, PROVIDERS, refusal, SEND, setting } from './edit.ts'
import type { FaultRows, OperationId } from './fault.ts'
import { inData, inEach, inReplies, acceptedAnyway, reported } from './rows.ts'

// One of fifteen providers, one of its directions or one of its banks is wrong: all others are right.

type StatePredicate = (state: Fields) => boolean
const at =
  (code: string, type?: 'COLLECTION' | 'PAYOUT'): StatePredicate =>
  ({ provider_code, transaction_type }) =>
    provider_code === code && (type === undefined || transaction_type === type)
const reportedOf = (does: string, is: StatePredicate, change: (state: Fields) => Fields) =>
  reported(does, (state) => (is(state) ? change(state) : state))
/** An item of the list of providers, whose types are in lower case. */
const listed = (does: string, is: StatePredicate, change: (provider: Fields) => Fields) =>
  inEach(does, 'payment_providers', (provider) =>
    is({ ...provider, transaction_type: String(provider['transaction_type']).toUpperCase() })
      ? change(provider)
      : provider,
  )
/** The whole list of a lookup. */
const inList = (
  does: string,
  where: readonly OperationId[],
  list: string,
  change: (items: readonly Fields[]) => readonly Fields[],
) =>
  inData(does, where, 200, (inner) => {
    const items = inner[list]
    return Array.isArray(items) ? { ...inner, [list]: change(items as Fields[]) } : inner
  })
/** Refuses a request that should be accepted. */
const turnedDown = (
  does: string,
  where: readonly OperationId[],
  when: StatePredicate,
  message: (given: Fields) => string,
) =>
  inReplies(does, where, 202, (reply, request) => {
    const given = fieldsOf(request) ?? {}
    return when(given) ? refusal(reply, 400, message(given)) : reply
  })
const requests =
  (code: string, fields: Fields = {}): StatePredicate =>
  (given) =>
    given['provider_code'] === code && Object.entries(fields).every(([name, value]) => given[name] === value)

const figure = (state: Fields, name: string): number => Number(state[name])
const cents = (amount: number): number => Math.round(amount * 100)
/** Another charge, with a matching total. */
function charged(state: Fields, charge: number): Fields {
  const amount = cents(figure(state, 'transaction_amount'))
  const total = 'total_debit' in state ? amount + cents(charge) : amount - cents(charge)
  if (!(figure(state, 'transaction_charge') > 0)) return state
  const bears = state['charge_customer'] === true
  return {
    ...state,
    transaction_charge: charge,
    ...('total_debit' in state ? { total_debit: total / 100 } : { total_credit: (bears ? amount : total) / 100 }),
  }
}

export const optionRows: FaultRows = {
  'airtel-rw-charge-doubled': reportedOf(
    'returns twice the charge at airtel_rw',
    at('airtel_rw', 'COLLECTION'),
    (state) => charged(state, 2 * figure(state, 'transaction_charge')),
  ),
  'airtel-rw-minimum-listed-lower': listed(
    'lists a minimum that airtel_rw does not take',
    at('airtel_rw', 'PAYOUT'),
    (provider) => ({
      ...provider,
      min_amount: figure(provider, 'min_amount') - 1,
    }),
  ),
  'mtn-zm-maximum-excluded': turnedDown(
    'refuses the maximum itself at mtn_zm',
    INITIALIZE,
    requests('mtn_zm', { amount: 20_000 }),
    () => 'amount must be between 1 and 20000 ZMW',
  ),
  'airtel-ke-maximum-passed-by-a-cent': acceptedAnyway(
    'accepts one unit more than the maximum at airtel_ke',
    PAYMENTS,
    /^amount must be between \S+ and (\S+) KES$/,
    (request, [, max]) => {
      const { provider_code, amount } = fieldsOf(request) ?? {}
      const isClose = Number(amount) > Number(max) && Number(amount) <= Number(max) + 1
      return provider_code === 'airtel_ke' && isClose ? setting({ amount: Number(max) })(request) : request
    },
  ),
  'airtel-rw-payouts-listed-only': turnedDown(
    'lists payouts of airtel_rw and refuses them',
    SEND,
    requests('airtel_rw'),
    () => 'Invalid provider code (airtel_rw): does not offer PAYOUT',
  ),
  'airtel-ke-listed-twice': inList('lists airtel_ke twice', PROVIDERS, 'payment_providers', (items) =>
    items.flatMap((item) => (item['provider_code'] === 'airtel_ke' ? [item, { ...item, min_amount: 100 }] : [item])),
  ),
  'mpesa-prefix-not-listed': listed('does not list the last prefix of mpesa_ke', at('mpesa_ke'), (provider) => ({
    ...provider,
    option_prefixes: Array.isArray(provider['option_prefixes']) ? provider['option_prefixes'].slice(0, -1) : [],
  })),
  'mtn-ug-prefix-refused': turnedDown(
    'refuses numbers of the fourth prefix of mtn_ug',
    PAYMENTS,
    (given) => requests('mtn_ug')(given) && /^\+?25639/.test(String(given['msisdn'] ?? given['account_number'])),
    (given) => `${String(given['msisdn'] ?? given['account_number'])} is not a valid MTN Uganda (mtn_ug) phone number`,
  ),
  'airtel-zm-takes-mtn': acceptedAnyway(
    'accepts numbers of mtn_zm at airtel_zm',
    PAYMENTS,
    /is not a valid Airtel Zambia \(airtel_zm\) phone number$/,
    setting((given) => {
      const name = 'msisdn' in given ? 'msisdn' : 'account_number'
      return { [name]: String(given[name]).replace(/^(\+?260)(?:96|76)/, '$197') }
    }),
  ),
  'wema-bank-missing': inList('omits a bank of bank_ng', BANKS, 'payout_banks', (items) =>
    items.filter(({ bank_code }) => bank_code !== 'wema_bank_ng'),
  ),
}
