import {
  amountText,
  createTokens,
  declaredValues,
  fieldAt,
  moneyFromWire,
  needed,
  NoAnswer,
  NotSent,
  railPackage,
  textOf,
  type Adapter,
  type ExchangeAbout,
  type KnownOutcome,
  type RailAnswer,
  type RailKind,
  type RailKnowledge,
  type RailOrder,
  type RailSetting,
  type RailWorld,
  type SettingValues,
} from '@malipo/rail'
import contract from './contract.json' with { type: 'json' }

// Kiosk Pay, an operator that does not exist: it pays out, and is queried for the result.

const SETTINGS = {
  api_key: { meaning: 'the key of your application at Kiosk Pay', secret: true },
} as const satisfies Readonly<Record<string, RailSetting>>

export const kiosk: RailKind = {
  name: 'kiosk',
  title: 'Kiosk Pay',
  types: ['PAYOUT'],
  callbackTails: [],
  settings: SETTINGS,
  connect: (settings, world) => connect(settings, world),
}

export default railPackage({ kind: kiosk, contract })

interface Reply {
  readonly status: number
  readonly said: unknown
}
type Call = (about: ExchangeAbout, path: string, body?: object) => Promise<Reply>

function connect(settings: SettingValues, world: RailWorld): Adapter {
  const call = callsWith(settings, world)
  return {
    // Documented: Kiosk Pay knows an order again by our id.
    traitsOf: () => ({ repeat: 'safe', pollAfterMs: (queried) => 60_000 * 2 ** Math.min(queried, 5) }),
    submit: (order) => submit(call, world, order),
    query: (order) => query(call, world, order),
    readCallback: () => undefined,
    balances: () => Promise.resolve([]),
    async check() {
      const { status } = await call({ purpose: 'check' }, '/payouts/none')
      return [{ what: 'credentials', ok: status === 404, detail: `Kiosk Pay answered ${status}` }]
    },
  }
}

function callsWith(settings: SettingValues, { clock, fetchFor }: RailWorld): Call {
  const baseUrl = settings['base_url'] ?? ''
  const key = needed(declaredValues(SETTINGS, settings), 'api_key')
  async function send(about: ExchangeAbout, path: string, authorization: string, body?: object): Promise<Reply> {
    const headers = { authorization, 'content-type': 'application/json' }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const response = await fetchFor(about)(new Request(baseUrl + path, init))
    return { status: response.status, said: await response.json() }
  }
  const tokens = createTokens({
    clock,
    renewBeforeMs: 60_000,
    async fetchToken() {
      const { said } = await send({ purpose: 'token' }, '/token', `Key ${key}`, {})
      const token = textOf(fieldAt(said, 'token'))
      if (token === undefined) throw new NoAnswer('Kiosk Pay gave no token')
      return { token, validForMs: Number(fieldAt(said, 'seconds')) * 1_000 }
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

/** Documented: after these answers to an order nothing moves. */
const REFUSALS: Readonly<Record<string, Pick<Extract<RailAnswer, { answer: 'refused' }>, 'reason' | 'code'>>> = {
  NO_ACCOUNT: { reason: 'The recipient has no account', code: 'account_not_found' },
  NO_MONEY: { reason: 'The payout could not be paid', code: 'insufficient_funds' },
}
const UNCLEAR = 'Kiosk Pay said nothing that is final'

async function submit(call: Call, { currency }: RailWorld, order: RailOrder): Promise<RailAnswer> {
  const { orderId, account, amount } = order
  if (amount.currency !== currency) return { answer: 'not_sent', error: 'another currency' }
  try {
    const written = amountText(amount.amountMinor, currency)
    const { status, said } = await call({ purpose: 'submit', orderId }, '/payouts', {
      id: orderId,
      account,
      amount: written,
      currency,
    })
    const error = textOf(fieldAt(said, 'error')) ?? ''
    const refusal = status === 400 && Object.hasOwn(REFUSALS, error) ? REFUSALS[error] : undefined
    if (refusal) return { answer: 'refused', ...refusal }
    if (status === 401) return { answer: 'not_sent', error: 'Kiosk Pay refused the token' }
    const isTaken = status === 409 ? error === 'DUPLICATE' : status === 200 && fieldAt(said, 'id') === orderId
    return isTaken ? { answer: 'accepted' } : { answer: 'unreachable', error: UNCLEAR }
  } catch (error) {
    return { answer: error instanceof NotSent ? 'not_sent' : 'unreachable', error: messageOf(error) }
  }
}

/** Documented: a payout is visible after a minute. */
const NOT_FOUND_AFTER_MS = 10 * 60_000

async function query(call: Call, { clock }: RailWorld, order: RailOrder): Promise<RailKnowledge> {
  const { orderId, orderedAt = clock.now() } = order
  try {
    const { status, said } = await call({ purpose: 'ask', orderId }, `/payouts/${orderId}`)
    const isOld = clock.now().getTime() - orderedAt.getTime() >= NOT_FOUND_AFTER_MS
    if (status === 404 && fieldAt(said, 'error') === 'UNKNOWN' && isOld) return { knows: 'nothing_moved' }
    if (status !== 200 || !isAbout(said, order)) return { knows: 'unreachable', error: UNCLEAR }
    if (fieldAt(said, 'status') === 'TAKEN') return { knows: 'in_progress' }
    const known = verdictIn(said)
    return known ? { knows: 'outcome', ...known } : { knows: 'unreachable', error: UNCLEAR }
  } catch (error) {
    return { knows: 'unreachable', error: messageOf(error) }
  }
}

/** A verdict counts only for the order that was queried: its id, account, amount and currency. */
function isAbout(said: unknown, { orderId, account, amount }: RailOrder): boolean {
  const [written, currency] = [textOf(fieldAt(said, 'amount')), textOf(fieldAt(said, 'currency'))]
  if (fieldAt(said, 'id') !== orderId || fieldAt(said, 'account') !== account || currency !== amount.currency)
    return false
  try {
    return moneyFromWire(written ?? '', currency).amountMinor === amount.amountMinor
  } catch {
    return false
  }
}

function verdictIn(said: unknown): KnownOutcome | undefined {
  const receipt = textOf(fieldAt(said, 'receipt'))
  if (fieldAt(said, 'status') === 'PAID')
    return { outcome: { status: 'COMPLETED' }, ...(receipt !== undefined && { receipts: { receipt } }) }
  if (fieldAt(said, 'status') !== 'FAILED') return undefined
  return { outcome: { status: 'FAILED', reason: 'Kiosk Pay could not pay it out', code: 'operator_error' } }
}

const messageOf = (error: unknown): string =>
  error instanceof NotSent || error instanceof NoAnswer ? error.message : 'a fault of this rail'
