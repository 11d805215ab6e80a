import type { RailReferences } from '../../../actions/ports/rail.ts'
import { money, type Money } from '../../../domain/money.ts'
import {
  fieldsAt,
  type BookedOrder,
  type Change,
  type Counterpart,
  type LateAnswers,
  type ResultCodes,
  type Verdict,
  type Words,
} from '../../conformance/counterpart.ts'
import type { WholeAnswer } from '../../testing/scripted-operator.ts'
import { daraja } from '../daraja.ts'
import { COLLECTS, PAYS_OUT } from './daraja-at-test.ts'

export const refused = (status: number, errorCode: string, errorMessage = 'x'): WholeAnswer => ({
  status,
  body: { requestId: '11728-2929992-1', errorCode, errorMessage },
})
export const kes = (shillings: number): Money => money(BigInt(shillings) * 100n, 'KES')
export const shillingsOf = ({ amountMinor }: Money): number => Number(amountMinor / 100n)

/** Shared by both calls. */
export const COMMON = {
  token: (token: string, lifeSeconds: number): WholeAnswer => ({
    status: 200,
    body: { access_token: token, expires_in: String(lifeSeconds) },
  }),
  // Seen by integrators; Safaricom's documents do not say it.
  hasOneToken: true,
  tokenRefused: [refused(404, '404.001.03'), refused(401, '401.002.01'), refused(400, '400.003.01')],
  refusals: [{ answer: refused(400, '400.002.02'), code: 'not_allowed' }],
  withText: (text: string) => refused(500, '500.003.1001', text),
  secretFields: ['Password', 'SecurityCredential'],
} as const

export const UNCLEAR = {
  'one of three meanings': refused(500, '500.001.1001'),
  busy: refused(500, '500.003.02'),
  'over the quota': refused(500, '500.003.03'),
  'a code that nobody knows': refused(400, '400.999.99'),
} as const
export const UNTOLD = {
  ...UNCLEAR,
  'a fault inside': refused(500, '500.003.1001'),
  'an error inside a success': refused(200, '500.001.1001'),
} as const
/** Codes that third-party pages call failures and Safaricom's does not. */
export const UNDOCUMENTED = ['11', '26', '1313', 'SFC_IC9999'] as const

/** Odd fields in the result at a path. */
export const oddities = (path: readonly string[]): Readonly<Record<string, Change>> => ({
  'a null description': fieldsAt(path, { ResultDesc: null }),
  'no description': fieldsAt(path, { ResultDesc: undefined }),
  'a description that is an object': fieldsAt(path, { ResultDesc: {} }),
  'fields that nobody documents': fieldsAt(path, { more: [{ deep: null }] }),
})

/** Inserts another parameter before those of a result. */
export const withParameter =
  (parameter: unknown): Change =>
  (body) => {
    const { Result } = body as { Result: { ResultParameters?: { ResultParameter: unknown } } }
    const others = Result.ResultParameters?.ResultParameter ?? []
    return { Result: { ...Result, ResultParameters: { ResultParameter: [parameter, others].flat() } } }
  }

/** Prompts, reversals and payments to banks carry our id only in the path of their callback URL. */
export const orderIdIn = (url: string): string => new URL(url).pathname.split('/')[4] ?? ''

export const TOKEN_ROUTE = 'GET /oauth/v1/generate'

/** What differs between the orders that M-PESA queues. */
interface QueuedOrders {
  readonly submit: string
  readonly names: Words['names']
  /** M-PESA's ids that name no order. */
  readonly otherIds?: RailReferences
  readonly results: Readonly<Record<Verdict, string | number>>
  /** The beginning of its receipts. */
  readonly receipt: string
  /** The parameters of a success, and those of every other result. */
  paid(order: BookedOrder): readonly object[]
  readonly unpaid?: object
  readonly resultCodes: Pick<ResultCodes, 'failed' | 'undocumented'>
  readonly unclear?: Words['unclear']
  readonly oddMessages?: Words['oddMessages']
}

/** Orders that M-PESA queues: their results come by messages of one form. */
export function queuedWords({ submit, names, otherIds, results, receipt, paid, unpaid, ...more }: QueuedOrders) {
  const resultOf = (order: BookedOrder, ResultCode: string | number, fields: object, parameters?: object) => ({
    Result: {
      ResultType: 0,
      ResultCode,
      ResultDesc: 'x',
      ...otherIds,
      ...names(order),
      ...fields,
      ...(parameters && { ResultParameters: { ResultParameter: parameters } }),
    },
  })
  return {
    ...COMMON,
    routes: { token: TOKEN_ROUTE, submit, ask: 'POST /mpesa/transactionstatus/v1/query' },
    accepted: (order) => ({ status: 200, body: { ...otherIds, ...names(order), ResponseCode: '0' } }),
    unclear: {
      ...UNCLEAR,
      'a fault inside': refused(500, '500.003.1001'),
      'a response code that nobody knows': {
        status: 200,
        body: { OriginatorConversationID: 'x', ConversationID: 'AG_0', ResponseCode: '1' },
      },
      ...more.unclear,
    },
    lieFields: [],
    untold: UNTOLD,
    oddAnswers: {},
    oddMessages: {
      ...oddities(['Result']),
      'a null receipt': fieldsAt(['Result'], { TransactionID: null }),
      'a parameter that is a list': withParameter([null, 1]),
      'a type that is a text': fieldsAt(['Result'], { ResultType: '0' }),
      ...more.oddMessages,
    },
    names,
    resultCodes: {
      ...more.resultCodes,
      body: (order, code) => resultOf(order, code, { TransactionID: 'OAK0000000' }, unpaid),
    },
    callback(order, verdict, lie) {
      const said = { ...order, ...lie }
      const fields = { ...lie.names, TransactionID: `${receipt}${order.number}` }
      const parameters = verdict === 'paid' ? paid(said) : unpaid
      return { method: 'POST', body: resultOf(said, results[verdict], fields, parameters) }
    },
  } satisfies Partial<Words>
}

/** Asked about a payout, M-PESA answers by a message. */
export const ASKED_LATER = {
  verdictMessage: (order) => ({
    status: 200,
    body: { OriginatorConversationID: 'of-the-query', ConversationID: questionAbout(order), ResponseCode: '0' },
  }),
  unknown: { status: 200, body: { OriginatorConversationID: 'x', ConversationID: 'AG_0', ResponseCode: '0' } },
} satisfies Partial<Words>

export const inKenya = {
  kind: daraja,
  providerCode: 'mpesa_ke',
  currency: 'KES',
  settings: { ...COLLECTS, ...PAYS_OUT },
  account: (n: number) => `25470${String(n).padStart(4, '0')}123`,
  amounts: [kes(500), kes(10), kes(249_999)],
  unsendable: [money(50_050n, 'KES'), money(1n, 'KES'), money(0n, 'KES'), money(50_000n, 'UGX')],
} as const satisfies Partial<Counterpart>

export const CENTS = 'M-PESA moves whole shillings only'

/** What this adapter has not, beside its orders. */
export const BESIDE = {
  account_address: 'this adapter gives every order an address of its own',
  immediate: 'M-PESA answers an order before it has a result',
  unrequested: 'M-PESA reports only collections without an order',
  payment_questions: 'M-PESA asks only before collections without an order',
  late_balances: 'M-PESA is asked for the balance that payouts are paid from',
} as const

/** M-PESA's id of a question about an order. */
export const questionAbout = ({ number }: BookedOrder): string => `AG_QUERY_${number}`

/** Its answer, by message. */
export const statusOf: LateAnswers['body'] = ({ amount }, verdict, { question, orderId }) => ({
  Result: {
    ResultType: 0,
    ResultCode: 0,
    ResultDesc: 'x',
    OriginatorConversationID: 'of-the-query',
    ...(question !== undefined && { ConversationID: question }),
    ResultParameters: {
      ResultParameter: [
        { Key: 'TransactionStatus', Value: verdict === 'paid' ? 'Completed' : 'Failed' },
        { Key: 'Amount', Value: shillingsOf(amount) },
        ...(orderId === undefined ? [] : [{ Key: 'OriginatorConversationID', Value: orderId }]),
      ],
    },
  },
})
