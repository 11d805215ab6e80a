import type { Clock } from '../../actions/ports/clock.ts'
import type { ReceivedCallback } from '../rail-kind.ts'
import {
  startScriptedOperator,
  type OperatorRequest,
  type ScriptedAnswer,
  type ScriptedOperator,
  type WholeAnswer,
} from '../testing/scripted-operator.ts'
import type { BookedOrder, Counterpart, Lie, Verdict } from './counterpart.ts'

/** What it does with one call, in the place of an honest answer. */
export type Mood =
  /** Nothing is taken, this is the answer. */
  | { readonly answers: ScriptedAnswer }
  /** The order is taken, or the question understood, and instead of the honest answer comes this. */
  | { readonly takes: (honest: WholeAnswer) => ScriptedAnswer | Promise<ScriptedAnswer> }

/** An operator with a book of its own, on a real port: honest until it is told otherwise. */
export interface HostileOperator {
  readonly url: string
  readonly requests: readonly OperatorRequest[]
  submits(): readonly OperatorRequest[]
  asks(): readonly OperatorRequest[]
  tokenCalls(): readonly OperatorRequest[]
  /** What the next orders meet, one after another; the one after them an honest operator. */
  nextOrders(...moods: readonly Mood[]): void
  nextQuestions(...moods: readonly Mood[]): void
  nextTokens(...answers: readonly ScriptedAnswer[]): void
  /** A route that no counterpart has. */
  readonly on: ScriptedOperator['on']
  /** Whatever is asked for from now on is answered so. */
  always(answer: ScriptedAnswer): void
  /** In the order of arrival, of one account number. */
  orders(account: string): readonly BookedOrder[]
  /** The latest first. */
  latestOrders(): readonly BookedOrder[]
  /** How often an account pays or is paid: of orders that are taken and have not failed. */
  moved(account: string): number
  decide(account: string, verdict: Verdict): void
  /** Its message about an order, and the address it would go to. */
  callback(order: BookedOrder, verdict: Verdict, lie?: Lie): Sent
  /** Tokens that it has given so far are good no more. */
  forgetTokens(): void
  /** Its clock is so far ahead of ours. */
  skewMs: number
  /** How long its tokens live. */
  tokenSeconds: number
  close(): Promise<void>
}

export interface Sent {
  readonly url: string
  readonly received: ReceivedCallback
}

export async function startHostileOperator({ words }: Counterpart, clock: Clock): Promise<HostileOperator> {
  const scripted = await startScriptedOperator()
  const book: BookedOrder[] = []
  const tokens = createGivenTokens(() => clock.now().getTime() + operator.skewMs)

  const guarded = (answer: (request: OperatorRequest) => ScriptedAnswer | Promise<ScriptedAnswer>) =>
    ((request) => {
      if (!tokens.isGood(request)) return words.tokenRefused[0] ?? 401
      return answer(request)
    }) satisfies ScriptedAnswer

  function take(request: OperatorRequest): WholeAnswer {
    const order = words.read(request)
    const isKnown = ({ orderId }: BookedOrder) => orderId.toLowerCase() === order.orderId.toLowerCase()
    const known = words.duplicate && book.find(isKnown)
    if (known && words.duplicate) return words.duplicate(known)
    const booked: BookedOrder = { ...order, number: book.length + 1, verdict: 'pending' }
    book.push(booked)
    return words.accepted(booked)
  }
  function tell(request: OperatorRequest): WholeAnswer {
    const order = book.find((each) => words.isAbout(request, each))
    return order ? words.told(order, order.verdict, {}) : words.unknown
  }
  const giveToken: ScriptedAnswer = () => words.token(tokens.give(operator.tokenSeconds), operator.tokenSeconds)
  // What must not be read has to be said before the request is.
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
    nextQuestions: (...moods) => scripted.on(routes.ask, ...moods.map((mood) => script(tell, mood)), guarded(tell)),
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
    callback: (order, verdict, lie = {}) => sent(order, words.callback(order, verdict, lie)),
    forgetTokens: () => tokens.forget(),
    skewMs: 0,
    tokenSeconds: 3600,
    close: () => scripted.close(),
  }
  operator.nextTokens()
  operator.nextOrders()
  operator.nextQuestions()
  return operator
}

/** The tokens that the operator has given, by its own clock. */
function createGivenTokens(nowMs: () => number) {
  const endsAtMs = new Map<string, number>()
  return {
    give(seconds: number): string {
      const token = `token-of-the-operator-${endsAtMs.size + 1}`
      endsAtMs.set(token, nowMs() + seconds * 1000)
      return token
    },
    isGood({ headers }: OperatorRequest): boolean {
      const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
      return nowMs() < (endsAtMs.get(token) ?? 0)
    },
    forget: () => endsAtMs.clear(),
  }
}

/** Installation, token and order id come before the word that an address may end with. */
const TAIL_AT = 5

function sent({ callbackUrl }: BookedOrder, { method, body }: { method: 'POST' | 'PUT'; body: unknown }): Sent {
  if (callbackUrl === undefined) throw new Error('the order came without an address for its result')
  const tail = new URL(callbackUrl).pathname.split('/')[TAIL_AT]
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { url: callbackUrl, received: { method, ...(tail !== undefined && { tail }), body: text } }
}
