import type { Clock } from '../../actions/ports/clock.ts'
import type { ReceivedCallback } from '../rail-kind.ts'
import {
  startScriptedOperator,
  type OperatorRequest,
  type ScriptedAnswer,
  type WholeAnswer,
} from '../testing/scripted-operator.ts'
import type { BookedOrder, Counterpart, Lie, Verdict } from './counterpart.ts'

/** How it handles one call instead of replying honestly. */
export type Mood =
  /** It processes nothing and replies with this. */
  | { readonly answers: ScriptedAnswer }
  /** It takes the order, or reads the query, and sends this instead of the honest reply. */
  | { readonly takes: (honest: WholeAnswer) => ScriptedAnswer | Promise<ScriptedAnswer> }

/** An operator with its own book of orders, on a real port: honest until a test changes its behaviour. */
export interface HostileOperator {
  readonly url: string
  readonly requests: readonly OperatorRequest[]
  submits(): readonly OperatorRequest[]
  asks(): readonly OperatorRequest[]
  tokenCalls(): readonly OperatorRequest[]
  /** Sets the moods for the next orders, one each; orders after them meet an honest operator. */
  nextOrders(...moods: readonly Mood[]): void
  nextQuestions(...moods: readonly Mood[]): void
  nextTokens(...answers: readonly ScriptedAnswer[]): void
  /** Replies to a call beside orders: a balance, a page of a statement. The last answer repeats. */
  on(route: string, ...answers: readonly ScriptedAnswer[]): void
  /** Replies to every request from now on with this. */
  always(answer: ScriptedAnswer): void
  /** The orders of one account number, in the order of arrival. */
  orders(account: string): readonly BookedOrder[]
  /** The latest first. */
  latestOrders(): readonly BookedOrder[]
  /** How often an account pays or is paid: counts accepted orders that have not failed. */
  moved(account: string): number
  decide(account: string, verdict: Verdict): void
  /** A callback about an order, and its URL. */
  callback(order: BookedOrder, verdict: Verdict, lie?: Lie): ForgedCallback
  /** How far its clock is ahead of ours. */
  skewMs: number
  /** Where it sends messages about orders that carry no address. */
  accountUrl: string
  /** The lifetime of its tokens. */
  tokenSeconds: number
  close(): Promise<void>
}

export interface ForgedCallback {
  readonly url: string
  readonly received: ReceivedCallback
}

export async function startHostileOperator({ words }: Counterpart, clock: Clock): Promise<HostileOperator> {
  const scripted = await startScriptedOperator()
  const book: BookedOrder[] = []
  const tokens = createGivenTokens(words.hasOneToken === true, () => clock.now().getTime() + operator.skewMs)

  const guarded = (answer: (request: OperatorRequest) => ScriptedAnswer | Promise<ScriptedAnswer>) =>
    ((request) => {
      if (!tokens.isGood(request)) return words.tokenRefused[0] ?? 401
      return answer(request)
    }) satisfies ScriptedAnswer

  function take(request: OperatorRequest): WholeAnswer {
    const order = words.read(request)
    const known = words.duplicate && book.find(({ orderId }) => orderId.toLowerCase() === order.orderId.toLowerCase())
    if (known && words.duplicate) return words.duplicate(known)
    const booked: BookedOrder = { ...order, number: book.length + 1, verdict: 'pending' }
    book.push(booked)
    return words.accepted(booked)
  }
  function report(request: OperatorRequest): WholeAnswer {
    const order = book.find((each) => words.isAbout(request, each))
    return order ? words.verdictMessage(order, order.verdict, {}) : words.unknown
  }
  const giveToken: ScriptedAnswer = () => words.token(tokens.give(operator.tokenSeconds), operator.tokenSeconds)
  // Whether to skip reading the body must be decided before the request is read.
  const script = (honest: (request: OperatorRequest) => WholeAnswer, mood: Mood): ScriptedAnswer =>
    'answers' in mood ? mood.answers : guarded((request) => mood.takes(honest(request)))

  const { routes } = words
  const operator: HostileOperator = {
    url: scripted.url,
    requests: scripted.requests,
    submits: () => scripted.requestsTo(routes.submit),
    asks: () => scripted.requestsTo(routes.ask),
    tokenCalls: () => scripted.requestsTo(routes.token),
    nextOrders: (...moods) => scripted.on(routes.submit, ...moods.map((mood) => script(take, mood)), guarded(take)),
    nextQuestions: (...moods) => scripted.on(routes.ask, ...moods.map((mood) => script(report, mood)), guarded(report)),
    nextTokens: (...answers) => scripted.on(routes.token, ...answers, giveToken),
    on: scripted.on,
    always(answer) {
      for (const route of Object.values(routes)) scripted.on(route, answer)
    },
    orders: (account) => book.filter((order) => order.account === account),
    latestOrders: () => book.toReversed(),
    moved: (account) => book.filter((order) => order.account === account && order.verdict !== 'failed').length,
    decide(account, verdict) {
      for (const order of book) if (order.account === account) order.verdict = verdict
    },
    callback: (order, verdict, lie = {}) =>
      sent(order.callbackUrl ?? operator.accountUrl, words.callback(order, verdict, lie)),
    accountUrl: '',
    skewMs: 0,
    tokenSeconds: 3600,
    close: () => scripted.close(),
  }
  operator.nextTokens()
  operator.nextOrders()
  operator.nextQuestions()
  return operator
}

/** The tokens that the operator has issued, by its own clock. */
function createGivenTokens(isOnlyOne: boolean, nowMs: () => number) {
  const endsAtMs = new Map<string, number>()
  let given = 0
  return {
    give(seconds: number): string {
      if (isOnlyOne) endsAtMs.clear()
      const token = `token-of-the-operator-${(given += 1)}`
      endsAtMs.set(token, nowMs() + seconds * 1000)
      return token
    },
    isGood({ headers }: OperatorRequest): boolean {
      const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
      return nowMs() < (endsAtMs.get(token) ?? 0)
    },
  }
}

/** The rail account, token and order id come before the optional last path segment. */
const TAIL_AT = 5

function sent(callbackUrl: string, { method, body }: { method: 'POST' | 'PUT'; body: unknown }): ForgedCallback {
  if (callbackUrl === '') throw new Error('there is no address for the result')
  const tail = new URL(callbackUrl).pathname.split('/')[TAIL_AT]
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { url: callbackUrl, received: { method, ...(tail !== undefined && { tail }), body: text } }
}
