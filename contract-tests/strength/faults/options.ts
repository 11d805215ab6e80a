import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import {
  BANKS,
  data,
  fieldsOf,
  INITIALIZE,
  PAYMENTS,
  PROVIDERS,
  refusal,
  renamed,
  replies,
  SEND,
  setting,
  without,
  withFields,
} from './edit.ts'
import { ruleFaultsOf, type OperationId, type Plant, type FaultContext } from './fault.ts'
import { callbacks, inData, inEach, inReplies, stateIn, acceptedAnyway, reported } from './rows.ts'
import { signCallback } from './sign.ts'

// One of fifteen providers, one of its directions or one of its banks is wrong: all others are right.

type StatePredicate = (state: Fields) => boolean
const at =
  (code: string, type?: 'COLLECTION' | 'PAYOUT'): StatePredicate =>
  ({ provider_code, transaction_type }) =>
    provider_code === code && (type === undefined || transaction_type === type)
const reportedOf = (what: string, is: StatePredicate, change: (state: Fields) => Fields) =>
  reported(what, (state) => (is(state) ? change(state) : state))
/** An item of the list of providers, whose types are in lower case. */
const listed = (what: string, is: StatePredicate, change: (provider: Fields) => Fields) =>
  inEach(what, 'payment_providers', (provider) =>
    is({ ...provider, transaction_type: String(provider['transaction_type']).toUpperCase() })
      ? change(provider)
      : provider,
  )
const listedBank = (what: string, code: string, change: (bank: Fields) => Fields) =>
  inEach(what, 'payout_banks', (bank) => (bank['bank_code'] === code ? change(bank) : bank))
/** The whole list of a lookup. */
const inList = (
  what: string,
  where: readonly OperationId[],
  list: string,
  change: (items: readonly Fields[]) => readonly Fields[],
) =>
  inData(what, where, 200, (inner) => {
    const items = inner[list]
    return Array.isArray(items) ? { ...inner, [list]: change(items as Fields[]) } : inner
  })
/** Refuses a request that should be accepted. */
const turnedDown = (
  what: string,
  where: readonly OperationId[],
  when: StatePredicate,
  message: (given: Fields) => string,
) =>
  inReplies(what, where, 202, (reply, request) => {
    const given = fieldsOf(request) ?? {}
    return when(given) ? refusal(reply, 400, message(given)) : reply
  })
const requests =
  (code: string, fields: Fields = {}): StatePredicate =>
  (given) =>
    given['provider_code'] === code && Object.entries(fields).every(([name, value]) => given[name] === value)

const figure = (state: Fields, name: string): number => Number(state[name])
const isDone: StatePredicate = ({ transaction_status }) => transaction_status === 'COMPLETED'
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
/** Whole units, rounded half to even. */
const halfEven = (hundredths: number): number => {
  const [whole, rest] = [Math.floor(hundredths / 100), hundredths % 100]
  return rest > 50 || (rest === 50 && whole % 2 === 1) ? whole + 1 : whole
}

/** These payments never end, and no callback is sent. */
const endless = (what: string, is: StatePredicate) => ({
  what,
  plant: (world: FaultContext): Plant => ({
    ...callbacks.lost(what, (message) => is(stateIn(message))).plant(world),
    ...replies(['verifyTransaction'], 200, (reply: WireReply) =>
      withFields(
        reply,
        data((state) =>
          is(state) && !['PENDING', 'CANCELLED'].includes(String(state['transaction_status']))
            ? {
                ...without(state, 'failure_code'),
                transaction_status: 'PROCESSING',
                status_message: 'Transaction Processing',
              }
            : state,
        ),
      ),
    ),
  }),
})
/** Callbacks that differ from verify. */
const calledBack = (what: string, is: StatePredicate, change: (state: Fields) => Fields) =>
  callbacks.sent(what, (message: WireRequest, world) =>
    is(stateIn(message))
      ? signCallback(
          withFields(message, (body) => ({ ...body, payload: change(stateIn(message)) })),
          world,
        )
      : message,
  )

export const optionFaults = ruleFaultsOf('options', {
  'airtel-rw-charge-doubled': reportedOf(
    'returns twice the charge at airtel_rw',
    at('airtel_rw', 'COLLECTION'),
    (state) => charged(state, 2 * figure(state, 'transaction_charge')),
  ),
  'tigopesa-charge-rounded-down': reportedOf(
    'rounds charges down at tigopesa_tz',
    at('tigopesa_tz', 'COLLECTION'),
    (state) => charged(state, Math.floor(figure(state, 'transaction_amount') + 1e-6) / 100),
  ),
  'mtn-rw-charge-half-even': reportedOf(
    'rounds half a franc to the even one at mtn_rw',
    at('mtn_rw', 'COLLECTION'),
    (state) => charged(state, halfEven(figure(state, 'transaction_amount'))),
  ),
  'airtel-zm-debit-without-charge': reportedOf(
    'forgets the charge in total_debit at airtel_zm',
    at('airtel_zm', 'PAYOUT'),
    (state) => (isDone(state) ? { ...state, total_debit: state['transaction_amount'] } : state),
  ),
  'airtel-tz-charges-both': reportedOf(
    'lets both bear the charge at airtel_tz when the customer shall',
    (state) => at('airtel_tz')(state) && state['charge_customer'] === true && isDone(state),
    (state) => ({
      ...state,
      total_credit: (cents(figure(state, 'transaction_amount')) - cents(figure(state, 'transaction_charge'))) / 100,
    }),
  ),
  'airtel-rw-minimum-listed-lower': listed(
    'lists a minimum that airtel_rw does not take',
    at('airtel_rw', 'PAYOUT'),
    (provider) => ({
      ...provider,
      min_amount: figure(provider, 'min_amount') - 1,
    }),
  ),
  'mtn-zm-maximum-listed-higher': listed(
    'lists a maximum that mtn_zm does not take',
    at('mtn_zm', 'PAYOUT'),
    (provider) => ({
      ...provider,
      max_amount: figure(provider, 'max_amount') + 1,
    }),
  ),
  'mtn-zm-maximum-excluded': turnedDown(
    'refuses the maximum itself at mtn_zm',
    INITIALIZE,
    requests('mtn_zm', { amount: 20_000 }),
    () => 'amount must be between 1 and 20000 ZMW',
  ),
  'tigopesa-minimum-excluded': turnedDown(
    'refuses the minimum itself in payouts at tigopesa_tz',
    SEND,
    requests('tigopesa_tz', { amount: 1000 }),
    () => 'amount must be between 1000 and 5000000 TZS',
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
  'airtel-gh-daily-listed-as-maximum': listed(
    'lists the maximum as the daily limit of airtel_gh',
    at('airtel_gh'),
    (provider) => ({
      ...provider,
      max_daily_amount: provider['max_amount'],
    }),
  ),
  'vodacom-currency-in-record': reportedOf('returns KES at vodacom_tz', at('vodacom_tz'), (state) => ({
    ...state,
    transaction_currency: 'KES',
  })),
  'airtel-tz-currency-listed': listed('lists airtel_tz in KES among those of TZS', at('airtel_tz'), (provider) => ({
    ...provider,
    transaction_currency: 'KES',
  })),
  'mtn-rw-name-per-direction': listed('calls mtn_rw otherwise among payouts', at('mtn_rw', 'PAYOUT'), (provider) => ({
    ...provider,
    provider_name: 'MTN Rwandacell',
  })),
  'mtn-ug-name-misspelt': listed('misspells MTN Uganda', at('mtn_ug', 'COLLECTION'), (provider) => ({
    ...provider,
    provider_name: 'MTN  Uganda',
  })),
  'airtel-tz-payouts-missing': inList('omits airtel_tz from the payouts', PROVIDERS, 'payment_providers', (items) =>
    items.filter((item) => item['provider_code'] !== 'airtel_tz' || item['transaction_type'] !== 'Payout'),
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
  'tigopesa-listed-inactive': listed(
    'lists tigopesa_tz as inactive, and accepts payments',
    at('tigopesa_tz'),
    (provider) => ({
      ...provider,
      is_active: false,
    }),
  ),
  'bank-za-listed-as-mobile-money': listed('lists bank_za as mobile money', at('bank_za', 'PAYOUT'), (provider) => ({
    ...provider,
    transaction_method: 'MOBILE_MONEY',
    transaction_method_name: 'Mobile Money',
  })),
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
  'tymebank-listed-only': turnedDown(
    'lists a bank of bank_za that it does not pay out to',
    SEND,
    ({ extra_params }) => (extra_params as Fields | undefined)?.['bank_code'] === 'tymebank_za',
    () => 'Invalid bank code (tymebank_za)',
  ),
  'capitec-listed-inactive': listedBank('lists a bank as inactive that accepts payouts', 'capitec_za', (bank) => ({
    ...bank,
    is_active: false,
  })),
  'investec-has-code-of-nedbank': listedBank('gives two banks one code', 'investec_za', (bank) => ({
    ...bank,
    bank_code: 'nedbank_za',
  })),
  'uba-has-name-of-union': listedBank('gives a bank the name of another', 'uba_ng', (bank) => ({
    ...bank,
    bank_name: 'Union Bank of Nigeria',
  })),
  'mtn-zm-payouts-never-end': endless('never ends payouts at mtn_zm', at('mtn_zm', 'PAYOUT')),
  'bank-za-payouts-not-reported': callbacks.lost('sends no callback of payouts at bank_za', (message) =>
    at('bank_za', 'PAYOUT')(stateIn(message)),
  ),
  'airtel-gh-account-called-back-short': calledBack(
    'omits the country code in callbacks of airtel_gh',
    at('airtel_gh'),
    (state) => ({ ...state, transaction_account: String(state['transaction_account']).replace(/^233/, '') }),
  ),
  'mpesa-debit-called-credit': calledBack(
    'calls total_debit total_credit in callbacks of mpesa_ke',
    at('mpesa_ke', 'PAYOUT'),
    (state) => renamed(state, 'total_debit', 'total_credit'),
  ),
  'airtel-tz-called-by-another-name': reportedOf(
    'returns airtel_ug as the provider of airtel_tz',
    at('airtel_tz'),
    (state) => ({
      ...state,
      provider_code: 'airtel_ug',
    }),
  ),
  'airtel-rw-failures-complete': reportedOf(
    'reports failed collections at airtel_rw as completed',
    (state) => at('airtel_rw', 'COLLECTION')(state) && state['transaction_status'] === 'FAILED',
    (state) => ({
      ...without(state, 'failure_code'),
      transaction_status: 'COMPLETED',
      status_message: 'Transaction Completed Successfully',
      total_credit: state['transaction_amount'],
    }),
  ),
  'bank-za-institution-as-code': reportedOf(
    "returns the bank's code as institution_name at bank_za",
    (state) => at('bank_za')(state) && 'institution_name' in state,
    (state) => ({ ...state, institution_name: String(state['institution_name']).toLowerCase().replaceAll(' ', '_') }),
  ),
  'bank-za-without-page': inReplies(
    'gives no payment_url for collections of bank_za',
    INITIALIZE,
    202,
    (reply, request) =>
      requests('bank_za')(fieldsOf(request) ?? {})
        ? withFields(
            reply,
            data((inner) => without(inner, 'payment_url')),
          )
        : reply,
  ),
  'airtel-ke-cents-refused': turnedDown(
    'accepts whole shillings only at airtel_ke',
    PAYMENTS,
    (given) => requests('airtel_ke')(given) && !Number.isInteger(given['amount']),
    () => 'amount must have at most 0 decimals for KES',
  ),
})
