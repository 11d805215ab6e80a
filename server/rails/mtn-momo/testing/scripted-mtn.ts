import { startScriptedOperator, type OperatorRequest, type ScriptedAnswer } from '../../testing/scripted-operator.ts'
import { CREDENTIALS } from './connected.ts'
import type { AccountBehaviour, Counterpart, AccountSide } from './counterpart.ts'

/** The outcome of an order with a number: refused at submission, or accepted with this final status. */
type OrderOutcome = { readonly refused: string } | { readonly status: string; readonly reason?: string }

const NUMBERS: Readonly<Record<AccountSide, Readonly<Partial<Record<AccountBehaviour, string>>>>> = {
  payer: {
    approves: '46733123499',
    rejects: '46733123451',
    lets_expire: '46733123452',
    without_money: '46733123450',
    over_limit: '46733123470',
    unknown: '46733123455',
  },
  payee: {
    approves: '46733123499',
    rejects: '46733123451',
    lets_expire: '46733123452',
    without_money: '46733123455',
    over_limit: '46733123456',
    unknown: '46733123457',
  },
  holder: { active: '46733123499', inactive: '46733123451', unknown: '46733123450' },
}

/**
 * A number of MTN's sandbox with this behaviour (x-test-numbers of the contract); it has no payer who is over a limit.
 */
export const sandboxNumber = (side: AccountSide, behaviour: AccountBehaviour): string =>
  NUMBERS[side][behaviour] ?? '46733123499'

const FATES: Readonly<Record<'payer' | 'payee', Readonly<Record<string, OrderOutcome>>>> = {
  payer: {
    '46733123450': { status: 'FAILED', reason: 'INTERNAL_PROCESSING_ERROR' },
    '46733123451': { status: 'FAILED', reason: 'APPROVAL_REJECTED' },
    '46733123452': { status: 'FAILED', reason: 'EXPIRED' },
    '46733123455': { refused: 'PAYER_NOT_FOUND' },
    '46733123470': { status: 'FAILED', reason: 'PAYER_LIMIT_REACHED' },
  },
  payee: {
    '46733123451': { status: 'FAILED', reason: 'APPROVAL_REJECTED' },
    '46733123452': { status: 'FAILED', reason: 'EXPIRED' },
    '46733123455': { refused: 'NOT_ENOUGH_FUNDS' },
    '46733123456': { refused: 'PAYER_LIMIT_REACHED' },
    '46733123457': { refused: 'PAYEE_NOT_FOUND' },
  },
}
const SETTLED: OrderOutcome = { status: 'SUCCESSFUL' }
const ENVIRONMENT = 'sandbox'
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const refusal = (status: number, code: string): ScriptedAnswer => ({ status, body: { code, message: 'x' } })
const turnedAway: ScriptedAnswer = { status: 401, body: { statusCode: 401, message: 'Access denied' } }
const header = ({ headers }: OperatorRequest, name: string): string => String(headers[name] ?? '')
const lastOf = ({ path }: OperatorRequest): string => path.split('/').at(-1) ?? ''

interface Order {
  readonly body: Readonly<Record<string, unknown>>
  readonly fate: OrderOutcome
  readonly callbackUrl: string
}

/** MTN as far as its go-live list checks it, with the numbers of its sandbox; every outcome is final at once. */
export async function startScriptedMtn(): Promise<Counterpart> {
  const operator = await startScriptedOperator()
  const orders = new Map<string, Order>()
  const tokens = createTokens()
  for (const [product, path, side] of [
    ['collection', 'requesttopay', 'payer'],
    ['disbursement', 'transfer', 'payee'],
  ] as const) {
    const guarded = (answer: ScriptedHandler): ScriptedHandler => tokens.guarded(product, answer)
    operator.on(`POST /${product}/token/`, (request) => tokens.give(product, request))
    operator.on(`POST /${product}/v1_0/${path}`, guarded(submitted(orders, side)))
    operator.on(`GET /${product}/v1_0/${path}/{id}`, guarded(queried(orders)))
    operator.on(`GET /${product}/v1_0/accountholder/{type}/{number}/active`, guarded(holder))
    operator.on(
      `GET /${product}/v1_0/account/balance`,
      guarded(() => ({ status: 200, body: { availableBalance: '1000', currency: 'EUR' } })),
    )
  }

  return {
    settings: { base_url: operator.url, target_environment: ENVIRONMENT, ...CREDENTIALS },
    currency: 'EUR',
    number: sandboxNumber,
    passTime: () => Promise.resolve(),
    spoilTokens: () => Promise.resolve(tokens.spoil()),
    callbackUrl: (scheme, orderId, tail) => `${scheme}://pay.example/${orderId}/${tail}`,
    callbackOf: (orderId) => {
      const order = orders.get(orderId)
      if (!order?.callbackUrl) return Promise.reject(new Error('no callback'))
      return Promise.resolve({ url: order.callbackUrl, method: 'PUT', body: JSON.stringify(reported(order)) })
    },
    close: () => operator.close(),
  }
}

type ScriptedHandler = (request: OperatorRequest) => ScriptedAnswer

/** The tokens that it has issued, each for one product. */
function createTokens() {
  const tokens = new Map<string, string>()
  let given = 0
  return {
    give(product: 'collection' | 'disbursement', request: OperatorRequest): ScriptedAnswer {
      const key = header(request, 'ocp-apim-subscription-key')
      if (key !== CREDENTIALS[`${product}_subscription_key`]) return turnedAway
      const basic = `Basic ${btoa(`${CREDENTIALS[`${product}_api_user`]}:${CREDENTIALS[`${product}_api_key`]}`)}`
      if (header(request, 'authorization') !== basic) return { status: 500, body: { error: 'login_failed' } }
      given += 1
      tokens.set(`Bearer token-${given}`, product)
      return { status: 200, body: { access_token: `token-${given}`, token_type: 'access_token', expires_in: 3600 } }
    },
    /** MTN's checks before it processes an order or a status query. */
    guarded:
      (product: 'collection' | 'disbursement', answer: ScriptedHandler): ScriptedHandler =>
      (request) => {
        const key = header(request, 'ocp-apim-subscription-key')
        if (key !== CREDENTIALS[`${product}_subscription_key`]) return turnedAway
        if (tokens.get(header(request, 'authorization')) !== product) return turnedAway
        return header(request, 'x-target-environment') === ENVIRONMENT
          ? answer(request)
          : refusal(500, 'NOT_ALLOWED_TARGET_ENVIRONMENT')
      },
    spoil: () => tokens.clear(),
  }
}

const submitted =
  (orders: Map<string, Order>, side: 'payer' | 'payee'): ScriptedHandler =>
  (request) => {
    const id = header(request, 'x-reference-id')
    const body = request.json() as Readonly<Record<string, unknown>>
    const party = body[side] as { readonly partyId?: string } | undefined
    if (!UUID_V4.test(id) || body['currency'] === undefined) return refusal(400, 'INVALID_REQUEST')
    if (orders.has(id)) return refusal(409, 'RESOURCE_ALREADY_EXIST')
    const fate = FATES[side][party?.partyId ?? ''] ?? SETTLED
    if ('refused' in fate) return refusal(500, fate.refused)
    orders.set(id, { body, fate, callbackUrl: header(request, 'x-callback-url') })
    return 202
  }

const queried =
  (orders: ReadonlyMap<string, Order>): ScriptedHandler =>
  (request) => {
    if (!UUID_V4.test(lastOf(request))) return refusal(400, 'INVALID_REQUEST')
    const order = orders.get(lastOf(request))
    return order ? { status: 200, body: reported(order) } : refusal(404, 'RESOURCE_NOT_FOUND')
  }

const reported = ({ body, fate }: Order) => ({
  ...body,
  ...fate,
  ...(fate === SETTLED && { financialTransactionId: '363440463' }),
})

function holder(request: OperatorRequest): ScriptedAnswer {
  const [number = '', type] = request.path.split('/').toReversed().slice(1)
  if (type?.toLowerCase() !== 'msisdn' || !/^\d+$/.test(number)) return refusal(400, 'INVALID_REQUEST')
  if (number === NUMBERS.holder.unknown) return refusal(404, 'RESOURCE_NOT_FOUND')
  return { status: 200, body: { result: number !== NUMBERS.holder.inactive } }
}
