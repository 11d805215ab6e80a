import type { WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import { fieldsOf, PAYMENTS, PROVIDERS, refusal, setting, VERIFY, WALLETS, withFields } from './edit.ts'
import { ruleFaultsOf, type Plant } from './fault.ts'
import { callbacks, inData, inReplies, stateIn, acceptedAnyway, reported } from './rows.ts'
import { signCallback } from './sign.ts'

// Faults in payments whose request has another currency, and in amounts of currencies with and without decimals.

const figure = (state: Fields, name: string): number => Number(state[name])
const isConverted = (state: Fields): boolean => state['request_currency'] !== state['transaction_currency']
const isMade = (state: Fields): boolean => figure(state, 'transaction_charge') > 0
const reportedOfConverted = (what: string, change: (state: Fields) => Fields) =>
  reported(what, (state) => (isConverted(state) ? change(state) : state))
/** A wrong rate: more or fewer units of the provider's currency for one of the request's. */
const rateAs = (what: string, rate: string) => ({
  what,
  plant: (): Plant => ({
    database: [
      `create function planted() returns trigger language plpgsql as $$ begin new.rate := ${rate}; return new; end $$`,
      'create trigger planted before insert on exchange_rates for each row execute function planted()',
    ],
  }),
})
const rounded = (amount: number, digits: number): number => Number(amount.toFixed(digits))
const WITHOUT_DECIMALS = ['UGX', 'RWF']
const digitsOf = (state: Fields): number => (WITHOUT_DECIMALS.includes(String(state['transaction_currency'])) ? 0 : 2)

/** Currencies of the sandbox, by the last letters of the provider's code. */
const CURRENCY_OF = new Map(
  Object.entries({ ug: 'UGX', ke: 'KES', tz: 'TZS', rw: 'RWF', gh: 'GHS', zm: 'ZMW', ng: 'NGN', za: 'ZAR' }),
)
const currencyOf = (given: Fields): string | undefined =>
  CURRENCY_OF.get(String(given['provider_code']).split('_').at(-1) ?? '')
const isForeign = (request: WireRequest): boolean => {
  const given = fieldsOf(request) ?? {}
  return given['currency'] !== currencyOf(given)
}

export const currencyFaults = ruleFaultsOf('currencies', {
  'rate-of-whole-numbers': rateAs('cuts the decimals of exchange rates', 'greatest(trunc(new.rate), 1)'),
  'rate-of-two-decimals': rateAs('rounds exchange rates to two decimals', 'greatest(round(new.rate, 2), 0.01)'),
  'rate-upside-down': rateAs('divides by the exchange rate', 'round(1 / new.rate, 12)'),
  'converted-amount-a-unit-less': reportedOfConverted('rounds converted amounts down', (state) => ({
    ...state,
    transaction_amount: rounded(figure(state, 'transaction_amount') - 10 ** -digitsOf(state), digitsOf(state)),
  })),
  'request-amount-converted': reportedOfConverted('returns the converted amount as request_amount', (state) => ({
    ...state,
    request_amount: state['transaction_amount'],
  })),
  'request-currency-of-provider': reportedOfConverted(
    "returns the provider's currency as request_currency",
    (state) => ({
      ...state,
      request_currency: state['transaction_currency'],
    }),
  ),
  'transaction-currency-of-request': reportedOfConverted(
    "returns the request's currency as transaction_currency",
    (state) => ({ ...state, transaction_currency: state['request_currency'] }),
  ),
  'transaction-amount-not-converted': reportedOfConverted('returns transaction_amount unconverted', (state) => ({
    ...state,
    transaction_amount: state['request_amount'],
  })),
  'charge-in-request-currency': reportedOfConverted("returns the charge in the request's currency", (state) => {
    const share = figure(state, 'transaction_charge') / figure(state, 'transaction_amount')
    return { ...state, transaction_charge: rounded(share * figure(state, 'request_amount'), 2) }
  }),
  'credit-in-request-currency': reportedOfConverted("returns the totals in the request's currency", (state) => {
    const total = 'total_debit' in state ? 'total_debit' : 'total_credit'
    const share = figure(state, total) / figure(state, 'transaction_amount')
    return { ...state, [total]: rounded(share * figure(state, 'request_amount'), 2) }
  }),
  'credit-less-charge-of-customer': reportedOfConverted(
    'deducts the charge from a converted credit although the customer bears it',
    (state) =>
      state['charge_customer'] === true && isMade(state)
        ? {
            ...state,
            total_credit: rounded(
              figure(state, 'transaction_amount') - figure(state, 'transaction_charge'),
              digitsOf(state),
            ),
          }
        : state,
  ),
  'callback-in-request-currency': callbacks.sent(
    "reports the request's currency in callbacks of converted payments",
    (message, world) => {
      const state = stateIn(message)
      return isConverted(state)
        ? signCallback(
            withFields(message, (body) => ({
              ...body,
              payload: { ...state, transaction_currency: state['request_currency'] },
            })),
            world,
          )
        : message
    },
  ),
  'lower-limit-of-request-amount': inReplies(
    'compares the amount of the request with the lower limit',
    PAYMENTS,
    202,
    (reply, request) => {
      const { amount, provider_code: code } = fieldsOf(request) ?? {}
      return isForeign(request) && String(code).endsWith('_ug') && Number(amount) < 500
        ? refusal(reply, 400, 'amount must be between 500 and 3000000 UGX')
        : reply
    },
  ),
  'upper-limit-of-request-amount': acceptedAnyway(
    'compares the amount of the request with the upper limit',
    PAYMENTS,
    /^amount must be between (\S+) and (\S+) [A-Z]{3}$/,
    (request, [, min, max]) => {
      const given = fieldsOf(request) ?? {}
      const isBelow = Number(given['amount']) <= Number(max) && isForeign(request)
      return isBelow
        ? setting({ currency: currencyOf(given), amount: Math.max(Number(min), Number(given['amount'])) })(request)
        : request
    },
  ),
  'limits-reported-in-request-currency': inReplies(
    "names the request's currency with the limits",
    PAYMENTS,
    400,
    (reply, request) =>
      isForeign(request)
        ? withFields(reply, (fields) => ({
            ...fields,
            message: String(fields['message']).replace(
              /^(amount must be between .*) [A-Z]{3}$/,
              `$1 ${String(fieldsOf(request)?.['currency'])}`,
            ),
          }))
        : reply,
  ),
  'decimals-of-provider-currency': inReplies(
    "holds an amount to the decimals of the provider's currency",
    PAYMENTS,
    202,
    (reply, request) => {
      const given = fieldsOf(request) ?? {}
      const currency = currencyOf(given) ?? ''
      return isForeign(request) && WITHOUT_DECIMALS.includes(currency) && !Number.isInteger(given['amount'])
        ? refusal(reply, 400, `amount must have at most 0 decimals for ${currency}`)
        : reply
    },
  ),
  'missing-rate-reported-backwards': inReplies('names the missing rate the other way round', PAYMENTS, 400, (reply) =>
    withFields(reply, (fields) => ({
      ...fields,
      message: String(fields['message']).replace(
        /^No exchange rate from ([A-Z]{3}) to ([A-Z]{3})/,
        'No exchange rate from $2 to $1',
      ),
    })),
  ),
  'providers-of-dollars': inReplies(
    'lists providers of Uganda for USD as well',
    PROVIDERS,
    200,
    (reply, request, { send }) =>
      /[?&]currency=USD(?:&|$)/.test(request.path)
        ? send({ ...request, path: request.path.replace('currency=USD', 'currency=UGX') })
        : reply,
  ),
  'wallets-of-a-neighbour': inReplies('shows the wallets of TZS for KES', WALLETS, 200, (reply, request, { send }) =>
    /[?&]currency=KES(?:&|$)/.test(request.path)
      ? send({ ...request, path: request.path.replace('currency=KES', 'currency=TZS') })
      : reply,
  ),
  'second-decimal-lost': inData('verify returns one decimal where there are two', VERIFY, 200, (state) => ({
    ...state,
    transaction_amount: Math.floor(rounded(figure(state, 'transaction_amount') * 10, 3)) / 10,
  })),
  'charge-not-rounded': reported('returns charges with more decimals than the currency has', (state) =>
    isMade(state) && digitsOf(state) === 2 && figure(state, 'transaction_amount') % 1 !== 0
      ? { ...state, transaction_charge: rounded(figure(state, 'transaction_amount') * 0.01, 4) }
      : state,
  ),
})
