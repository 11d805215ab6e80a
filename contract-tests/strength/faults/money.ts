import type { Fields } from '../../harness/json.ts'
import { accepts, each, INITIALIZE, PAYMENTS, phoneFor, replies, setting, VERIFY, WALLETS, withFields } from './edit.ts'
import { faultsOf, type Plant } from './fault.ts'
import { carriedOut, inData, inEach, reported } from './rows.ts'

const plus =
  (name: string, by: number) =>
  (fields: Fields): Fields =>
    name in fields ? { ...fields, [name]: Number(fields[name]) + by } : fields
const isDone = ({ transaction_status }: Fields): boolean => transaction_status === 'COMPLETED'
const hasFailed = ({ transaction_status }: Fields): boolean => transaction_status === 'FAILED'
/** The total is the amount itself, without the charge. */
const uncharged = (state: Fields, total: 'total_credit' | 'total_debit', when: (state: Fields) => boolean): Fields =>
  total in state && when(state) ? { ...state, [total]: state['transaction_amount'] } : state

/** Changes verify replies. */
const verified = (does: string, change: (state: Fields) => Fields) => inData(does, VERIFY, 200, change)

export const moneyFaults = faultsOf('money', {
  'credit-without-charge': reported('credits the whole amount although the merchant bears the charge', (state) =>
    uncharged(state, 'total_credit', isDone),
  ),
  'debit-without-charge': reported('returns a total_debit without the charge', (state) =>
    uncharged(state, 'total_debit', isDone),
  ),
  'charge-of-failed': reported('charges for failed payments', (state) =>
    hasFailed(state) ? { ...state, transaction_charge: 50 } : state,
  ),
  // Neither a total nor a wallet shows it.
  'charge-of-customer-too-high': verified(
    'verify returns one unit too much of larger charges that the customer pays',
    (state) =>
      state['charge_customer'] === true && Number(state['transaction_charge']) > 10
        ? plus('transaction_charge', 1)(state)
        : state,
  ),
  'charge-customer-ignored': carriedOut('always lets the merchant bear the charge', INITIALIZE, (given) =>
    given['charge_customer'] === true ? { charge_customer: false } : {},
  ),
  'amount-in-minor-units': verified('verify returns amounts a hundred times too large', (state) => ({
    ...state,
    transaction_amount: Number(state['transaction_amount']) * 100,
  })),
  'request-amount-changed': carriedOut('carries out one unit less than requested', PAYMENTS, ({ amount }) =>
    typeof amount === 'number' && amount > 1000 ? { amount: amount - 1 } : {},
  ),
  'balance-off-by-one': {
    does: 'shows one unit too much once money has moved',
    plant: () => offAfterFirst(),
  },
  'payout-balance-off-in-rwf': {
    does: 'shows one unit too much in the payout wallet of RWF once money has moved there',
    plant: () => offAfterFirst(({ wallet_type, currency }) => wallet_type === 'MERCHANT_PAYOUT' && currency === 'RWF'),
  },
  'balance-sum-wrong': inEach('omits the reserve from actual_balance, and shows one', 'merchant_wallets', (wallet) => ({
    ...wallet,
    reserve_balance: 100,
  })),
  'wallets-swapped': inEach('shows the payout wallet as the collection wallet', 'merchant_wallets', (wallet) => ({
    ...wallet,
    wallet_type: wallet['wallet_type'] === 'MERCHANT_PAYOUT' ? 'MERCHANT_COLLECTION' : 'MERCHANT_PAYOUT',
  })),
  'daily-limit-ignored': {
    does: 'lets an account pass its daily limit',
    plant: (world) => {
      let counter = 0
      const elsewhere = setting((given) => ({
        ['account_number' in given ? 'account_number' : 'msisdn']: phoneFor(`${JSON.stringify(given)}${counter++}`),
      }))
      return accepts(world, PAYMENTS, /^amount exceeds the daily limit of /, elsewhere)
    },
  },
  'unfunded-payout-paid': reported('says that a payout without funds is completed', (state) =>
    state['status_message'] === 'Insufficient balance for the transaction'
      ? {
          ...state,
          transaction_status: 'COMPLETED',
          status_message: 'Transaction Completed Successfully',
          total_debit: state['transaction_amount'],
        }
      : state,
  ),
})

/** Right at the first request, wrong at every later one whose balance differs from it. */
function offAfterFirst(isOff = (_wallet: Fields): boolean => true): Plant {
  const first = new Map<string, unknown>()
  const off = each('merchant_wallets', (wallet) => {
    const { wallet_type, currency, available_balance } = wallet
    const key = `${String(wallet_type)} ${String(currency)}`
    if (!first.has(key)) first.set(key, available_balance)
    return first.get(key) === available_balance || !isOff(wallet)
      ? wallet
      : plus('actual_balance', 1)(plus('available_balance', 1)(wallet))
  })
  return replies(WALLETS, 200, (reply) => withFields(reply, off))
}
