import { generateKeyPairSync } from 'node:crypto'
import { money, moneyFromWire } from '../../../domain/money.ts'
import type { WholeAnswer } from '../../testing/scripted-operator.ts'
import {
  fieldsAt,
  type BookedOrder,
  type Change,
  type Counterpart,
  type Lie,
  type StatementWords,
  type Verdict,
  type Words,
} from '../../conformance/counterpart.ts'
import { backwards, NO_PAYMENT, NO_REFUND } from '../../conformance/counterparts/refunds.ts'
import { airtel } from '../airtel.ts'
import { wireId } from '../results.ts'

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
/** The key of signatures and PINs, as Airtel hands it out. */
export const PUBLIC_KEY = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

export const CREDENTIALS = {
  client_id: '0f7a3c52-2c43-4d1e-8d0f-26a30f2f4a55',
  client_secret: '5b8f6f1e-0f7a-4c1e-9a77-1f0a115c9f6f',
  pin: '736251',
  pin_key: PUBLIC_KEY,
  callback_key: 'k3y-of-the-application',
} as const

const refusal = (code: string, status = 200): WholeAnswer => ({
  status,
  body: { status: { code: String(status), message: 'x', response_code: code, success: false } },
})
const front = (code: string, status = 200): WholeAnswer => ({
  status,
  body: { status_code: code, status_message: 'x' },
})
const text = (status: number, message = 'x'): WholeAnswer => ({ status, body: { message } })

const STATES: Readonly<Record<Verdict, string>> = { pending: 'TIP', paid: 'TS', failed: 'TF', strange: 'TR' }

/** An id of ours as it comes back: the kit lies about it as a UUID. */
const uuidOf = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The same in replies and in messages: an amount only if it lies about it. */
function transactionOf(order: BookedOrder, lie: Lie) {
  const { orderId, amount } = { ...order, ...lie }
  const hasAmount = lie.amount !== undefined || lie.currency !== undefined
  return {
    id: wireId(orderId),
    ...(hasAmount && { amount: String(amount.amountMinor), currency: lie.currency ?? amount.currency }),
  }
}

interface Direction {
  readonly codes: Readonly<Partial<Record<Verdict, string>>>
  readonly receipt: (order: BookedOrder) => Readonly<Record<string, string>>
}

const resultOf = ({ codes, receipt }: Direction, order: BookedOrder, verdict: Verdict, lie: Lie): WholeAnswer => ({
  status: 200,
  body: {
    data: {
      transaction: {
        ...(verdict === 'paid' && receipt(order)),
        ...transactionOf(order, lie),
        message: 'x',
        status: STATES[verdict],
      },
    },
    status: { code: '200', message: 'x', response_code: codes[verdict], success: verdict === 'paid' },
  },
})

const COLLECTION: Direction = {
  codes: { pending: 'DP00800001006', paid: 'DP00800001001', failed: 'DP00800001008' },
  receipt: ({ number }) => ({ airtel_money_id: `MP261122.1200.A${number}` }),
}
const PAYOUT: Direction = {
  codes: { pending: 'DP00900001006', paid: 'DP00900001001', failed: 'DP00900001013' },
  receipt: ({ number }) => ({ reference_id: `2611221200${number}` }),
}

const AT = ['data', 'transaction']
const ODDITIES: Readonly<Record<string, Change>> = {
  'a null message': fieldsAt(AT, { message: null }),
  'a receipt that is a number': fieldsAt(AT, { airtel_money_id: 363_440_463, reference_id: 363_440_463 }),
  'a state in lower case': (body) =>
    fieldsAt(AT, {
      status: (body as { data: { transaction: { status: string } } }).data.transaction.status.toLowerCase(),
    })(body),
  'no word about the call': fieldsAt([], { status: null }),
  'another code': fieldsAt(['status'], { response_code: 'DP00800001005' }),
  'a success that is a text': fieldsAt(['status'], { success: 'true' }),
  'fields that nobody documents': fieldsAt([], { more: [{ deep: null }] }),
}

interface OrderBody {
  readonly reference: string
  readonly subscriber?: { readonly msisdn: string }
  readonly payee?: { readonly msisdn: string }
  readonly transaction: { readonly id: string; readonly amount: number }
}

const SETUP = 'operator_error' as const
const UNCLEAR = {
  'a code that nobody knows': refusal('DP00800009999'),
  'a code with four meanings': refusal('DP00800001005', 400),
  'something went wrong': refusal('DP00800001005', 500),
  'a time-out of its front': front('ROUTER117'),
  'no route': text(404, 'no Route matched'),
  'too many calls': text(429),
  unavailable: text(503),
} as const

const COMMON = {
  token: (token: string, lifeSeconds: number): WholeAnswer => ({
    status: 200,
    body: { access_token: token, expires_in: String(lifeSeconds), token_type: 'bearer' },
  }),
  tokenRefused: [text(401)],
  withText: (words: string) => text(500, words),
  unknown: refusal('DP00800001025'),
  untold: {
    'a code that nobody knows': refusal('DP00800009999'),
    'a code of a failure': refusal('DP00800001007'),
    'a code of a success': refusal('DP00800001001'),
    'an order without a state': {
      status: 200,
      body: { data: { transaction: { id: 'x' } }, status: { success: true } },
    },
    'a time-out of its front': front('ROUTER117'),
    unavailable: text(503),
  },
  oddAnswers: ODDITIES,
  oddMessages: {
    'a null message': fieldsAt(['transaction'], { message: null }),
    'a state in lower case': (body: unknown) =>
      fieldsAt(['transaction'], {
        status_code: (body as { transaction: { status_code: string } }).transaction.status_code.toLowerCase(),
      })(body),
    'fields that nobody documents': fieldsAt([], { more: [{ deep: null }] }),
  },
  names: () => ({}),
  secretFields: ['pin'],
} as const

function wordsOf(direction: Direction, routes: Words['routes']): Words {
  return {
    ...COMMON,
    routes,
    read(request) {
      const { reference, subscriber, payee, transaction } = request.json() as OrderBody
      return {
        orderId: uuidOf(transaction.id),
        account: `256${(subscriber ?? payee)?.msisdn}`,
        amount: moneyFromWire(String(transaction.amount), 'UGX'),
        texts: [reference],
      }
    },
    accepted: (order) => resultOf(direction, order, 'pending', {}),
    duplicate: () => ({
      status: 200,
      body: { status: { code: '200', message: 'x', result_code: 'ESB000041', success: false } },
    }),
    refusals: ['003', '005', '119'].map((code) => ({ answer: front(`ROUTER${code}`), code: SETUP })),
    unclear: UNCLEAR,
    isAbout: ({ path }, { orderId }) => path.endsWith(`/${wireId(orderId)}`),
    verdictMessage: (order, verdict, lie) => resultOf(direction, order, verdict, lie),
    lieFields: ['orderId', 'amount', 'currency'],
    callback: (order, verdict, lie) => ({
      method: 'POST',
      body: {
        transaction: {
          ...transactionOf(order, lie),
          message: 'x',
          status_code: STATES[verdict],
          ...(verdict === 'paid' && { airtel_money_id: `MP261122.1200.A${order.number}` }),
        },
      },
    }),
    callbackWith: ['orderId'],
  }
}

const LISTED: StatementWords = {
  settings: { transactions_list: 'yes' },
  route: 'GET /merchant/v1/transactions',
  page: (number, bookings) => ({
    status: 200,
    body: {
      data: {
        count: bookings,
        transactions: Array.from({ length: bookings }, (_, n) => ({
          payee: { currency: 'UGX' },
          payer: { msisdn: '752000123' },
          service: { type: 'MERCHPAY' },
          transaction: {
            airtel_money_id: `MP261122.P${number}N${n}`,
            amount: '500',
            created_at: '2026-03-02 09:30:15',
            id: 'x',
            status: 'TS',
          },
        })),
      },
      status: { code: '200', success: true },
    },
  }),
  broken: text(503),
}

const LACKS = {
  names: 'Airtel finds an order by our id only',
  decimals: 'Uganda moves whole shillings',
  timestamps: "Airtel's requests carry no time",
  result_codes: 'a code alone decides nothing at Airtel: the state does',
  late_answers: 'asked about an order, Airtel answers at once',
  order_addresses: 'Airtel has one address for the application',
  amounts: "Airtel's verdicts carry no amount",
  unrequested: 'Airtel reports nothing that was not ordered',
  payment_questions: 'Airtel reports nothing that was not ordered',
  one_token: 'whether a new token ends the previous one is not said',
  late_balances: 'Airtel answers about balances at once',
} as const

const inUganda = {
  kind: airtel,
  providerCode: 'airtel_ug',
  currency: 'UGX',
  settings: { country: 'UG', ...CREDENTIALS },
  account: (n: number) => `25675${String(n).padStart(4, '0')}123`,
  amounts: [5000n, 500n, 2_999_999n].map((amount) => money(amount, 'UGX')),
  unsendable: [money(500n, 'EUR')],
} as const

const TOKEN = 'POST /auth/oauth2/token'

/** The receipt of a collection, before the account that paid it. */
const RECEIPT = 'MP'

const refund: Words = {
  ...COMMON,
  routes: { token: TOKEN, submit: 'POST /standard/v1/payments/refund', ask: 'GET /never-asked' },
  read(request) {
    const { transaction } = request.json() as { readonly transaction: { readonly airtel_money_id: string } }
    const account = backwards(transaction.airtel_money_id.slice(RECEIPT.length))
    return { orderId: transaction.airtel_money_id, account, amount: money(5000n, 'UGX'), texts: [] }
  },
  accepted: ({ number }) => refundAnswer(number),
  endsAtOnce: true,
  refusals: ['003', '005', '119'].map((code) => ({ answer: front(`ROUTER${code}`), code: SETUP })),
  unclear: { ...UNCLEAR, 'a failure in its old words': refusal('ESB000011') },
  isAbout: () => false,
  verdictMessage: () => text(503),
  lieFields: [],
  untold: {},
  oddAnswers: {},
  oddMessages: {},
  callback: () => ({ method: 'POST', body: {} }),
  callbackWith: [],
}
const refundAnswer = (number: number): WholeAnswer => ({
  status: 200,
  body: {
    data: { transaction: { airtel_money_id: `CI261122.${number}`, status: 'SUCCESS' } },
    status: { code: '200', success: false },
  },
})

const NOT_ASKED = 'Airtel is not asked about a refund'

const airtelRefund: Counterpart = {
  ...inUganda,
  name: 'airtel refund',
  type: 'COLLECTION',
  lacks: {
    ...LACKS,
    ...NO_PAYMENT,
    idempotency: 'Airtel takes no id of ours with a refund',
    order_fields: 'a refund names its collection and nothing else',
    texts: 'a refund carries no text',
    accepts: 'Airtel ends a refund in its answer',
    immediate: 'it fails by no answer, and is not asked about',
    query: NOT_ASKED,
    not_found: NOT_ASKED,
    polls: NOT_ASKED,
    callbacks: 'nothing is reported about a refund',
    account_address: 'nothing is reported about a refund',
    statements: 'a refund is no payment that the wallet received',
  },
  collectionOf: (account) => ({
    orderId: '11d0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11',
    externalIds: { airtel_money_id: `${RECEIPT}${backwards(account)}` },
  }),
  pollAfterMsMin: 60_000,
  words: refund,
}

const airtelCollection: Counterpart = {
  ...inUganda,
  name: 'airtel collection',
  type: 'COLLECTION',
  settings: { ...inUganda.settings, ...LISTED.settings },
  lacks: { ...LACKS, ...NO_REFUND, immediate: 'what Airtel says in answer to a collection decides nothing' },
  pollAfterMsMin: 3 * 60_000,
  words: {
    ...wordsOf(COLLECTION, {
      token: TOKEN,
      submit: 'POST /merchant/v1/payments/',
      ask: 'GET /standard/v1/payments/{id}',
      balance: 'GET /standard/v1/users/balance',
    }),
    accepted: ({ orderId }) => ({
      status: 200,
      body: {
        data: { transaction: { id: wireId(orderId), status: 'TS' } },
        status: { code: '200', response_code: 'DP00800001006', success: true },
      },
    }),
    statement: LISTED,
  },
  ofRefunds: refund,
}

const airtelPayout: Counterpart = {
  ...inUganda,
  name: 'airtel payout',
  type: 'PAYOUT',
  lacks: {
    ...LACKS,
    ...NO_REFUND,
    given_back: 'a payout is not given back',
    statements: 'Airtel lists what a wallet received',
  },
  pollAfterMsMin: 60_000,
  words: {
    ...wordsOf(PAYOUT, {
      token: TOKEN,
      submit: 'POST /standard/v1/disbursements/',
      ask: 'GET /standard/v1/disbursements/{id}',
      balance: 'GET /standard/v1/users/balance',
    }),
    outcome: (order, verdict, lie) => resultOf(PAYOUT, order, verdict, lie),
    failureIsAskedAgain: true,
  },
}

export const COUNTERPARTS: readonly Counterpart[] = [airtelCollection, airtelPayout, airtelRefund]
