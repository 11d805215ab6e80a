import type { Fields } from '../../harness/json.ts'
import { INITIALIZE } from './edit.ts'
import { edited, type FaultRows } from './fault.ts'
import { carriedOut, inEach, reported, remembering, verified } from './rows.ts'

const plus =
  (name: string, by: number) =>
  (fields: Fields): Fields =>
    name in fields ? { ...fields, [name]: Number(fields[name]) + by } : fields
const hasFailed = ({ transaction_status }: Fields): boolean => transaction_status === 'FAILED'
export const moneyRows: FaultRows = {
  'typed-zeros-lost': edited('stores the bank account typed on the payment page without its zeros', [
    'payment-page/forms.ts',
    'accountNumber: digitsOf(entered.accountNumber),',
    "accountNumber: digitsOf(entered.accountNumber).replace(/^0+(?=\\d{6})/, ''),",
  ]),
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
  'payout-balance-off-in-rwf': remembering(() => {
    let first: unknown
    return inEach(
      'shows one unit too much in the payout wallet of RWF once money has moved there',
      'merchant_wallets',
      (wallet) => {
        const { wallet_type, currency, available_balance } = wallet
        if (wallet_type !== 'MERCHANT_PAYOUT' || currency !== 'RWF') return wallet
        first ??= available_balance
        return first === available_balance ? wallet : plus('actual_balance', 1)(plus('available_balance', 1)(wallet))
      },
    )
  }),
  'balance-sum-wrong': inEach('omits the reserve from actual_balance, and shows one', 'merchant_wallets', (wallet) => ({
    ...wallet,
    reserve_balance: 100,
  })),
  'wallets-swapped': inEach('shows the payout wallet as the collection wallet', 'merchant_wallets', (wallet) => ({
    ...wallet,
    wallet_type: wallet['wallet_type'] === 'MERCHANT_PAYOUT' ? 'MERCHANT_COLLECTION' : 'MERCHANT_PAYOUT',
  })),
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
}
