import type { Call, OperatorReply } from '../operator.ts'
import { nameOf } from '../holder-names.ts'
import { HOLDER_QUIRK } from '../scenarios/malipo-numbers.ts'
import type { Booking } from '../world/statement.ts'
import { COUNTRIES, type AirtelHandlers } from './contract.ts'
import { refusalOfFront, type OrderDeps } from './orders.ts'
import { envelope, refused } from './replies.ts'

type AccountHandlers = Pick<AirtelHandlers, 'getHolder' | 'getBalance' | 'getBalanceOf' | 'listTransactions'>

/** The holders of numbers, our wallet, and what it received. */
export function accountHandlers(deps: OrderDeps): AccountHandlers {
  const { world, accountOf } = deps
  const countryIn = ({ headers }: Pick<Call, 'headers'>): string => headers['x-country'] ?? ''
  const balance = (call: Call<undefined>): OperatorReply => {
    const refusal = refusalOfFront(deps, call)
    if (refusal) return refusal
    const country = countryIn(call)
    const currency = COUNTRIES.get(country)?.currency ?? ''
    return envelope(
      { balance: world.accounts.balanceOf(accountOf(country)), currency, account_status: 'Active' },
      { code: 'DP02100000001', success: true },
    )
  }
  return {
    getBalance: balance,
    getBalanceOf: balance,
    getHolder(call) {
      const refusal = refusalOfFront(deps, call)
      if (refusal) return refusal
      const played = call.quirk(HOLDER_QUIRK)
      if (played === 'none' || call.quirk('holder_unknown') !== undefined) return refused('DP02200000002')
      const msisdn = call.params.msisdn ?? ''
      const { given, family } = nameOf(msisdn)
      return envelope(
        {
          ...(played !== 'nameless' && { first_name: given, last_name: family }),
          grade: 'SUBS',
          is_barred: played === 'inactive' || call.quirk('holder_barred') !== undefined,
          is_pin_set: true,
          msisdn,
          registration: { status: 'REGISTERED' },
        },
        { code: 'DP02200000001', success: true },
      )
    },
    listTransactions(call) {
      const refusal = refusalOfFront(deps, call)
      if (refusal) return refusal
      const [from, to, limit, offset] = ['from', 'to', 'limit', 'offset'].map((name) => Number(call.query[name]))
      const transactions = world.statement
        .lines({ from: new Date(from ?? 0), to: new Date(to ?? 0), account: accountOf(countryIn(call)) })
        .filter(({ direction }) => direction === 'in')
        .slice(offset, (offset ?? 0) + (limit ?? 0))
        .map(listed)
      const [only] = transactions
      const isOne = transactions.length === 1 && call.quirk('list_as_object') !== undefined
      return envelope({ count: transactions.length, transactions: isOne ? only : transactions }, { success: true })
    },
  }
}

const listed = ({ receipt, orderId, currency, msisdn, amount, bookedAt }: Booking) => ({
  payee: { currency, msisdn: '100100', name: 'Simulated Shop' },
  payer: { currency, msisdn: msisdn.slice(3), name: 'Simulated Customer' },
  service: { type: 'MERCHPAY' },
  transaction: {
    airtel_money_id: receipt,
    amount,
    created_at: bookedAt.toISOString().slice(0, 19).replace('T', ' '),
    id: orderId,
    status: 'TS',
  },
})
