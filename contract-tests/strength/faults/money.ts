import { isFields, type Fields } from '../../harness/json.ts'
import { data, each, fieldsOf, phoneFor, accepts, replies, requests, setting, withBody, withFields } from './edit.ts'
import { faultsOf, type Plant, type World } from './fault.ts'
import { servesKey, withPayload } from './sign.ts'

const VERIFY = ['verifyTransaction'] as const
const WALLETS = ['listWalletBalances'] as const
const BOTH = ['initializeCollection', 'sendFunds'] as const

const plus =
  (name: string, by: number) =>
  (fields: Fields): Fields =>
    name in fields ? { ...fields, [name]: Number(fields[name]) + by } : fields
const isDone = ({ transaction_status }: Fields): boolean => transaction_status === 'COMPLETED'

/** Changes what verify tells. */
const verified = (change: (state: Fields) => Fields): Plant =>
  replies(VERIFY, 200, (reply) => withFields(reply, data(change)))
/** Changes what verify and callbacks tell alike: only who knows the rules can see it. */
const told = (world: World, change: (state: Fields) => Fields): Plant => ({
  api: { ...servesKey, ...verified(change).api },
  merchant: { onRequest: (message) => (message.method === 'POST' ? withPayload(world, change)(message) : message) },
})
const wallets = (change: (wallet: Fields) => Fields): Plant =>
  replies(WALLETS, 200, (reply) => withFields(reply, each('merchant_wallets', change)))

export const moneyFaults = faultsOf('money', {
  'credit-off-by-one': {
    what: 'verify tells one unit more of total_credit than the callback',
    at: VERIFY,
    plant: () => verified((state) => (isDone(state) ? plus('total_credit', 1)(state) : state)),
  },
  'credit-without-charge': {
    what: 'credits the whole amount although the merchant bears the charge',
    at: VERIFY,
    plant: (world) =>
      told(world, (state) =>
        'total_credit' in state && isDone(state) ? { ...state, total_credit: state['transaction_amount'] } : state,
      ),
  },
  'debit-without-charge': {
    what: 'tells a total_debit without the charge',
    at: VERIFY,
    plant: (world) =>
      told(world, (state) =>
        'total_debit' in state && isDone(state) ? { ...state, total_debit: state['transaction_amount'] } : state,
      ),
  },
  'charge-of-failed': {
    what: 'charges for failed payments',
    at: VERIFY,
    plant: (world) =>
      told(world, (state) => (state['transaction_status'] === 'FAILED' ? { ...state, transaction_charge: 50 } : state)),
  },
  'charge-of-customer-too-high': {
    // Neither a total nor a wallet shows it.
    what: 'verify tells one unit too much of larger charges that the customer pays',
    at: VERIFY,
    plant: () =>
      verified((state) =>
        state['charge_customer'] === true && Number(state['transaction_charge']) > 10
          ? plus('transaction_charge', 1)(state)
          : state,
      ),
  },
  'credit-of-failed': {
    what: 'tells a total_credit for failed collections',
    at: VERIFY,
    plant: (world) =>
      told(world, (state) =>
        'total_credit' in state && state['transaction_status'] === 'FAILED'
          ? { ...state, total_credit: state['transaction_amount'] }
          : state,
      ),
  },
  'charge-customer-ignored': {
    what: 'always lets the merchant bear the charge',
    at: ['initializeCollection'],
    plant: () =>
      requests(
        ['initializeCollection'],
        setting((given) => (given['charge_customer'] === true ? { charge_customer: false } : {})),
      ),
  },
  'amount-in-minor-units': {
    what: 'verify tells amounts a hundred times too large',
    at: VERIFY,
    plant: () => verified((state) => ({ ...state, transaction_amount: Number(state['transaction_amount']) * 100 })),
  },
  'amount-in-binary-fractions': {
    what: 'verify tells amounts with the error of binary fractions',
    at: VERIFY,
    plant: () =>
      verified((state) => ({ ...state, transaction_amount: Number(state['transaction_amount']) * 1.000000001 })),
  },
  'request-amount-changed': {
    what: 'carries out one unit less than was asked',
    at: BOTH,
    plant: () =>
      requests(
        BOTH,
        setting(({ amount }) => (typeof amount === 'number' && amount > 1000 ? { amount: amount - 1 } : {})),
      ),
  },
  'balance-off-by-one': {
    what: 'shows one unit too much once money has moved',
    at: WALLETS,
    plant: () => offAfterFirst(),
  },
  'balance-sum-wrong': {
    what: 'leaves the reserve out of actual_balance, and shows one',
    at: WALLETS,
    plant: () => wallets((wallet) => ({ ...wallet, reserve_balance: 100 })),
  },
  'balance-stale': {
    what: 'shows the balances of the first look for ever',
    at: WALLETS,
    plant: () => {
      const first = new Map<string, Buffer>()
      return replies(WALLETS, 200, (reply, { path }) => {
        const earliest = first.get(path) ?? reply.body
        first.set(path, earliest)
        return withBody(reply, earliest.toString())
      })
    },
  },
  'wallets-swapped': {
    what: 'shows the payout wallet as the collection wallet',
    at: WALLETS,
    plant: () =>
      wallets((wallet) => ({
        ...wallet,
        wallet_type: wallet['wallet_type'] === 'MERCHANT_PAYOUT' ? 'MERCHANT_COLLECTION' : 'MERCHANT_PAYOUT',
      })),
  },
  'daily-limit-ignored': {
    what: 'lets an account pass its daily limit',
    at: BOTH,
    plant: (world) => {
      let counter = 0
      return accepts(
        world,
        BOTH,
        /^amount exceeds the daily limit of /,
        setting((given) => ({
          ['account_number' in given ? 'account_number' : 'msisdn']: phoneFor(`${JSON.stringify(given)}${counter++}`),
        })),
      )
    },
  },
  'unfunded-payout-paid': {
    what: 'says that a payout without funds is completed',
    at: VERIFY,
    plant: (world) =>
      told(world, (state) =>
        state['status_message'] === 'Insufficient balance for the transaction'
          ? {
              ...state,
              transaction_status: 'COMPLETED',
              status_message: 'Transaction Completed Successfully',
              total_debit: state['transaction_amount'],
            }
          : state,
      ),
  },
})

/** Right at the first look, wrong at every later one at which a balance differs from it. */
function offAfterFirst(): Plant {
  const first = new Map<string, unknown>()
  return replies(WALLETS, 200, (reply) => {
    const inner = fieldsOf(reply)?.['data']
    if (!isFields(inner)) return reply
    return withFields(
      reply,
      each('merchant_wallets', (wallet) => {
        const key = `${String(wallet['wallet_type'])} ${String(wallet['currency'])}`
        if (!first.has(key)) first.set(key, wallet['available_balance'])
        return first.get(key) === wallet['available_balance']
          ? wallet
          : plus('actual_balance', 1)(plus('available_balance', 1)(wallet))
      }),
    )
  })
}
