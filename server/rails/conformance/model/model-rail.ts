import type { KnownOutcome, RailAnswer, RailKnowledge, RailOrder } from '../../../actions/ports/rail.ts'
import { amountText } from '../../../domain/money.ts'
import { customerText } from '../../customer-text.ts'
import { fieldAt, textOf } from '../../foreign-fields.ts'
import { NoAnswer, NotSent } from '../../operator-errors.ts'
import type { Adapter, ExchangeAbout, RailKind, RailWorld } from '../../rail-kind.ts'
import { createTokens, sharedBy } from '../../tokens.ts'
import { MODEL_CONTRACT } from './model-contract.ts'
import { amountIn, causeOf, isReason, messageIn, questionIn, readingOf, saidIn, verdictIn } from './model-messages.ts'

/**
 * A rail that no operator has: all that the port can say and the rails of this tree do not need yet. It has one address
 * for all orders, no amount in its verdicts, an outcome in the answer to an order, payments that nobody asked for, a
 * question before them, balances by a message, and one token at a time. Its column of the table holds the port to them.
 */
export const modelRail: RailKind = {
  name: 'model',
  title: "The kit's model",
  types: ['COLLECTION'],
  contract: MODEL_CONTRACT,
  callbackTails: [],
  accountTails: ['message', 'question'],
  paymentQuestionTail: 'question',
  settings: { api_key: { meaning: 'the key', secret: true } },
  connect: ({ base_url: baseUrl = '', api_key: key = '' }, world) => connect(baseUrl, key, world),
}

interface Reply {
  readonly status: number
  readonly said: unknown
}
interface Connection {
  readonly world: RailWorld
  /** With a token, which is renewed once when it is refused. */
  call(about: ExchangeAbout, path: string, body?: object): Promise<Reply>
}

function connect(baseUrl: string, key: string, world: RailWorld): Adapter {
  const connection: Connection = { world, call: callsWith(baseUrl, key, world) }
  return {
    traitsOf: () => ({
      repeat: 'safe',
      pollAfterMs: (queried) => Math.min(60_000 * 2 ** Math.min(queried, 10), 3_600_000),
    }),
    submit: (order) => submit(connection, order),
    query: (order) => query(connection, order),
    readCallback: (callback) => readingOf(saidIn('message', callback), world),
    readMessage: (message) => messageIn(saidIn('message', message), world),
    readPaymentQuestion: (message) => questionIn(saidIn('question', message)),
    async queryPayment({ receipt }) {
      const { status, said } = await connection.call({ purpose: 'ask' }, `/payments/${receipt}`)
      const read = status === 200 ? messageIn(said, world) : undefined
      return read?.about === 'payment' && read.payment.receipt === receipt ? read.payment : undefined
    },
    balances: () => Promise.resolve([]),
    async askBalances() {
      const { said } = await connection.call({ purpose: 'statement' }, '/balance', {})
      const question = textOf(fieldAt(said, 'question'))
      if (question === undefined) throw new NoAnswer('the model took no question')
      return question
    },
    check: () => Promise.resolve([]),
  }
}

function callsWith(baseUrl: string, key: string, world: RailWorld): Connection['call'] {
  async function send(about: ExchangeAbout, path: string, authorization: string, body?: object): Promise<Reply> {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const init = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
    const response = await world.fetchFor(about)(new Request(baseUrl + path, init))
    return { status: response.status, said: await response.json() }
  }
  const tokens = createTokens({
    clock: world.clock,
    renewBeforeMs: 60_000,
    ...sharedBy(world, 'orders'),
    async fetchToken() {
      const { said } = await send({ purpose: 'token' }, '/token', `Key ${key}`, {})
      const token = textOf(fieldAt(said, 'token'))
      if (token === undefined) throw new NoAnswer('the model gave no token')
      return { token, validForMs: Number(textOf(fieldAt(said, 'seconds')) ?? 0) * 1000 }
    },
  })
  return async (about, path, body) => {
    const token = await tokens.token()
    const reply = await send(about, path, `Bearer ${token}`, body)
    if (reply.status === 401) return send(about, path, `Bearer ${await tokens.renew(token)}`, body)
    tokens.worked(token)
    return reply
  }
}

/** @returns undefined for what is no verdict about this order; of its amount, only a difference counts */
function outcomeOf(said: unknown, { orderId, amount }: RailOrder, world: RailWorld): KnownOutcome | undefined {
  if (fieldAt(said, 'id') !== orderId) return undefined
  const named = amountIn(said)
  if (named === 'unclear') return undefined
  if (named && (named.amountMinor !== amount.amountMinor || named.currency !== amount.currency)) return undefined
  return verdictIn(said, world)
}

const isOpen = (said: unknown, { orderId }: RailOrder): boolean =>
  fieldAt(said, 'id') === orderId && fieldAt(said, 'status') === 'ACCEPTED'

async function submit({ world, call }: Connection, order: RailOrder): Promise<RailAnswer> {
  const { orderId, account, amount } = order
  if (amount.currency !== world.currency) return { answer: 'not_sent', error: 'another currency' }
  try {
    const { status, said } = await call({ purpose: 'submit', orderId }, '/orders', {
      id: orderId,
      account,
      amount: amountText(amount.amountMinor, amount.currency),
      currency: amount.currency,
      text: customerText('{merchant}', order, { max: 40, lastResort: 'Payment' }),
      callback: world.accountUrl('message'),
    })
    const error = textOf(fieldAt(said, 'error'))
    if (status === 401) return { answer: 'not_sent', error: 'the model refused the token' }
    if (status === 409 && error === 'DUPLICATE') return { answer: 'accepted' }
    if (status === 400 && isReason(error)) return { answer: 'refused', ...causeOf(error, world) }
    const known = status === 200 ? outcomeOf(said, order, world) : undefined
    if (known) return { answer: 'outcome', ...known }
    return status === 200 && isOpen(said, order) ? { answer: 'accepted' } : { answer: 'unreachable', error: UNCLEAR }
  } catch (error) {
    return { answer: error instanceof NotSent ? 'not_sent' : 'unreachable', error: messageOf(error) }
  }
}

/** An order that is younger may not be visible yet. */
const NOT_FOUND_AFTER_MS = 30 * 60_000

async function query({ world, call }: Connection, order: RailOrder): Promise<RailKnowledge> {
  const { orderId, orderedAt } = order
  try {
    const { status, said } = await call({ purpose: 'ask', orderId }, `/orders/${orderId}`)
    const ageMs = orderedAt ? world.clock.now().getTime() - orderedAt.getTime() : 0
    if (status === 404 && fieldAt(said, 'error') === 'UNKNOWN' && ageMs >= NOT_FOUND_AFTER_MS)
      return { knows: 'nothing_moved' }
    const known = status === 200 ? outcomeOf(said, order, world) : undefined
    if (known) return { knows: 'outcome', ...known }
    return status === 200 && isOpen(said, order) ? { knows: 'in_progress' } : { knows: 'unreachable', error: UNCLEAR }
  } catch (error) {
    return { knows: 'unreachable', error: messageOf(error) }
  }
}

const UNCLEAR = 'the model answered nothing that is final'
const messageOf = (error: unknown): string =>
  error instanceof NotSent || error instanceof NoAnswer ? error.message : 'a fault on our side'
