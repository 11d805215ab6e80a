import type { Fields } from '../../harness/json.ts'
import { VERIFY } from './edit.ts'
import { edited, type FaultRows } from './fault.ts'
import { inData } from './rows.ts'

// Faults in payments whose request has another currency, and in amounts of currencies with and without decimals.

const figure = (state: Fields, name: string): number => Number(state[name])
const EXCHANGE = 'domain/exchange.ts'
const rounded = (amount: number, digits: number): number => Number(amount.toFixed(digits))

const ACCEPT = 'actions/accept-transaction.ts'

export const currencyRows: FaultRows = {
  'limits-of-request-amount': edited('compares the amount of the request with the limits, unconverted', [
    ACCEPT,
    'checkAmountLimits(option, amount)',
    'checkAmountLimits(option, requested)',
  ]),
  'decimals-of-provider-currency': edited("holds an amount to the decimals of the provider's currency", [
    ACCEPT,
    'moneyFromWire(request.amount, request.currency)',
    'moneyFromWire(request.amount, option.currency) && moneyFromWire(request.amount, request.currency)',
  ]),
  'missing-rate-reported-backwards': edited('names the missing rate the other way round', [
    ACCEPT,
    '${requested.currency} to ${option.currency}',
    '${option.currency} to ${requested.currency}',
  ]),
  'converted-amount-rounded-down': edited('rounds converted amounts down', [
    EXCHANGE,
    'divideHalfUp(numerator, denominator)',
    'numerator / denominator',
  ]),
  'second-decimal-lost': inData('verify returns one decimal where there are two', VERIFY, 200, (state) => ({
    ...state,
    transaction_amount: Math.floor(rounded(figure(state, 'transaction_amount') * 10, 3)) / 10,
  })),
}
