import { amountText, money, moneyFromWire } from '@malipo/rail'
import { fieldsAt, NO_REFUND, type BookedOrder, type Counterpart, type Lie, type Verdict } from '@malipo/rail/kit'
import { kiosk } from './rail.ts'

// Kiosk Pay as the kit plays it: its routes and words, no behaviour. What it lacks says why a rule has no meaning.

const error = (status: number, code: string) => ({ status, body: { error: code } })
const STATUSES: Readonly<Record<Verdict, string>> = {
  pending: 'TAKEN',
  paid: 'PAID',
  failed: 'FAILED',
  strange: 'LATER',
}

function resultOf(order: BookedOrder, verdict: Verdict, lie: Lie) {
  const { orderId, account, amount } = { ...order, ...lie }
  return {
    status: 200,
    body: {
      id: orderId,
      account,
      amount: amountText(amount.amountMinor, amount.currency),
      currency: lie.currency ?? amount.currency,
      status: STATUSES[verdict],
      ...(verdict === 'paid' && { receipt: `K${order.number}` }),
    },
  }
}

const ASKED = 'Kiosk Pay sends no messages: it is queried'

export const COUNTERPARTS: readonly Counterpart[] = [
  {
    name: 'kiosk payout',
    kind: kiosk,
    type: 'PAYOUT',
    providerCode: 'kiosk_ug',
    currency: 'UGX',
    settings: { api_key: 'k3y-of-the-kiosk' },
    lacks: {
      names: 'Kiosk Pay finds an order by our id only',
      decimals: 'Uganda moves whole shillings',
      timestamps: 'its requests carry no time',
      result_codes: 'it says FAILED, whatever the reason',
      late_answers: 'asked about an order, it answers at once',
      callbacks: ASKED,
      order_addresses: ASKED,
      account_address: ASKED,
      unrequested: ASKED,
      payment_questions: ASKED,
      late_balances: ASKED,
      immediate: 'what it says in answer to an order decides nothing',
      one_token: 'a new token does not end the previous one',
      statements: 'it lists nothing',
      texts: 'its orders carry no text',
      ...NO_REFUND,
      given_back: 'a payout is not given back',
    },
    account: (n) => `25670${String(n).padStart(4, '0')}123`,
    amounts: [5000n, 500n, 2_999_999n].map((amount) => money(amount, 'UGX')),
    unsendable: [money(500n, 'EUR')],
    pollAfterMsMin: 60_000,
    words: {
      routes: { token: 'POST /token', submit: 'POST /payouts', ask: 'GET /payouts/{id}' },
      token: (token, seconds) => ({ status: 200, body: { token, seconds } }),
      tokenRefused: [error(401, 'TOKEN')],
      read(request) {
        const { id, account, amount, currency } = request.json() as Readonly<Record<string, string>>
        return {
          orderId: id ?? '',
          account: account ?? '',
          amount: moneyFromWire(amount ?? '', currency ?? ''),
          texts: [],
        }
      },
      accepted: (order) => resultOf(order, 'pending', {}),
      duplicate: () => error(409, 'DUPLICATE'),
      refusals: [
        { answer: error(400, 'NO_ACCOUNT'), code: 'account_not_found' },
        { answer: error(400, 'NO_MONEY'), code: 'insufficient_funds' },
      ],
      unclear: { 'a code that nobody knows': error(400, 'WHO_KNOWS'), 'another conflict': error(409, 'WHO_KNOWS') },
      withText: (text) => ({ status: 400, body: { error: 'WHO_KNOWS', text } }),
      isAbout: ({ path }, { orderId }) => path.endsWith(`/${orderId}`),
      verdictMessage: resultOf,
      unknown: error(404, 'UNKNOWN'),
      lieFields: ['orderId', 'amount', 'currency', 'account'],
      untold: { 'an order without a status': { status: 200, body: {} }, 'another 404': error(404, 'WHO_KNOWS') },
      oddAnswers: { 'fields that nobody documents': fieldsAt([], { more: [{ deep: null }] }) },
      oddMessages: {},
      names: () => ({}),
      callback: () => ({ method: 'POST', body: {} }),
      callbackWith: [],
      secretFields: [],
    },
  },
]
