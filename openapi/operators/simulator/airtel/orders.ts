import { constants, createCipheriv, privateDecrypt, type KeyObject } from 'node:crypto'
import type { Call, OperatorReply } from '../operator.ts'
import { isAmount } from '../world/decimal.ts'
import { isVerdictReported } from '../world/lifecycle.ts'
import type { NewOrder, Order } from '../world/order.ts'
import type { OperatorState } from '../world/world.ts'
import { APPLICATION } from './application.ts'
import { COUNTRIES, type AirtelHandlers } from './contract.ts'
import { codeIn, envelope, refused, refusedByFront, stateOf } from './replies.ts'

export interface OrderDeps {
  readonly world: OperatorState
  /** The countries of the application. */
  readonly countries: ReadonlySet<string>
  readonly accountOf: (country: string) => string
  readonly key: KeyObject
  readonly isSigned: boolean
  readonly padding: 'pkcs1' | 'oaep'
}

type OrderHandlers = Pick<
  AirtelHandlers,
  | 'collect'
  | 'collectSigned'
  | 'getCollectionStatus'
  | 'payOut'
  | 'payOutSecond'
  | 'payOutThird'
  | 'getPayoutStatus'
  | 'getPayoutStatusSecond'
  | 'getPayoutStatusThird'
  | 'refund'
  | 'refundSigned'
>

interface PayoutBody {
  readonly payee: { readonly msisdn: string }
  readonly pin: string
  readonly transaction: { readonly amount: string | number; readonly id: string }
}

/** Collections, payouts and refunds. */
export function orderHandlers(deps: OrderDeps): OrderHandlers {
  const payOut = (call: Call<PayoutBody>, isAlwaysSigned = false) => paidOut(deps, call, isAlwaysSigned)
  const payoutStatus = (call: Call<undefined>) => enquired(deps, 'disbursement', call)
  return {
    collect: (call) => collected(deps, call, deps.isSigned),
    collectSigned: (call) => collected(deps, call, true),
    getCollectionStatus: (call) => enquired(deps, 'collection', call),
    payOut: (call) => payOut(call),
    payOutSecond: (call) => payOut(call),
    payOutThird: (call) => payOut(call, true),
    getPayoutStatus: payoutStatus,
    getPayoutStatusSecond: payoutStatus,
    getPayoutStatusThird: payoutStatus,
    refund: (call) => givenBack(deps, call, deps.isSigned),
    refundSigned: (call) => givenBack(deps, call, true),
  }
}

/** What Airtel's front looks at in every call. */
export function refusalOfFront({ countries }: Pick<OrderDeps, 'countries'>, { headers }: Pick<Call, 'headers'>) {
  const country = headers['x-country'] ?? ''
  const known = COUNTRIES.get(country)
  if (!known) return refusedByFront('ROUTER006')
  if (!countries.has(country)) return refusedByFront('ROUTER007')
  return headers['x-currency'] === known.currency ? undefined : refusedByFront('ROUTER119')
}

function collected(deps: OrderDeps, call: Parameters<OrderHandlers['collect']>[0], isSigned: boolean): OperatorReply {
  const refusal = refusalOfFront(deps, call)
  if (refusal) return refusal
  const { body, headers, accept, quirk } = call
  const country = headers['x-country'] ?? ''
  const order = orderOf(deps, country, {
    kind: 'collection',
    direction: 'in',
    number: body.subscriber.msisdn,
    ...body.transaction,
    externalId: body.reference,
    asks: true,
  })
  if (isSigned && !isSignedWell(deps, call)) return refused('DP00800001026')
  if (!order) return refused('DP00800001005', 400, 'Msisdn Not Found')
  if (deps.world.orders.find('collection', order.id)) return refused('ESB000041')
  accept(order)
  const id = quirk('id_false') === undefined ? order.id : false
  const status = quirk('says_ts') === undefined ? 'SUCCESS' : 'TS'
  return envelope({ transaction: { id, status } }, { code: codeIn(country, 'DP00800001006'), success: true })
}

function paidOut(deps: OrderDeps, call: Call<PayoutBody>, isAlwaysSigned: boolean): OperatorReply {
  const refusal = refusalOfFront(deps, call)
  if (refusal) return refusal
  const { body, headers, accept, quirk } = call
  const country = headers['x-country'] ?? ''
  if ((deps.isSigned || isAlwaysSigned) && !isSignedWell(deps, call)) return refused('DP00900001016')
  const pin = decrypted(deps.key, body.pin, deps.padding)
  if (pin === undefined) return refusedByFront('ROUTER116')
  if (pin !== APPLICATION.pin) return refusedByFront('ROUTER115')
  const order = orderOf(deps, country, {
    kind: 'disbursement',
    direction: 'out',
    number: body.payee.msisdn,
    ...body.transaction,
    externalId: body.transaction.id,
    asks: false,
  })
  if (!order) return refused('DP00900001012')
  if (deps.world.orders.find('disbursement', order.id))
    return refused(country === 'ZM' ? 'DP00900001011' : 'DP00900001017')
  const taken = accept({ ...order, endsAtOnce: quirk('payout_later') === undefined })
  return answerAbout(deps, taken, country, { hasReceipt: true })
}

/** The whole of a collection, by its receipt, once: whether Airtel holds to that is not known. */
function givenBack(
  deps: OrderDeps,
  call: Call<{ readonly transaction: { readonly airtel_money_id: string } }>,
  isSigned: boolean,
): OperatorReply {
  const refusal = refusalOfFront(deps, call)
  if (refusal) return refusal
  if (isSigned && !isSignedWell(deps, call)) return refused('DP00800001026')
  const { world } = deps
  const receipt = call.body.transaction.airtel_money_id
  const collection = world.orders
    .all()
    .find(({ kind, receipts }) => kind === 'collection' && receipts.includes(receipt))
  const isGiven = world.orders
    .all()
    .some(({ kind, state, externalId }) => kind === 'refund' && state !== 'failed' && externalId === receipt)
  if (!collection || (isGiven && call.quirk('refund_again') === undefined)) return refused('ESB000011')
  const { account, msisdn, amount, currency } = collection
  const order = call.accept({
    id: world.chance.uuid(),
    kind: 'refund',
    direction: 'out',
    account,
    msisdn,
    amount,
    currency,
    externalId: receipt,
    asks: false,
    endsAtOnce: true,
    details: {},
  })
  const [own] = order.receipts
  if (own === undefined) return refused('ESB000011')
  // As the documented sample has it.
  return envelope(
    { transaction: { airtel_money_id: own, status: 'SUCCESS' } },
    { success: call.quirk('success_true') !== undefined },
  )
}

interface Ordered extends Pick<NewOrder, 'kind' | 'direction' | 'externalId' | 'asks'> {
  readonly id: string
  /** As it came: national, or it is refused. */
  readonly number: string
  readonly amount: string | number
}

/** @returns undefined for a number with its country code, and for what is no amount */
function orderOf(
  { accountOf }: OrderDeps,
  country: string,
  { number, amount, ...order }: Ordered,
): NewOrder | undefined {
  const { currency = '', callingCode = '' } = COUNTRIES.get(country) ?? {}
  if (number.startsWith(callingCode) && number.length > NATIONAL_MAX) return undefined
  const { kind, direction, externalId, asks, id } = order
  const decimal = String(amount)
  if (!isAmount(decimal)) return undefined
  const account = accountOf(country)
  return {
    id,
    kind,
    direction,
    externalId,
    asks,
    account,
    amount: decimal,
    currency,
    msisdn: `${callingCode}${number}`,
    details: { country },
  }
}
const NATIONAL_MAX = 10

function enquired(deps: OrderDeps, kind: string, call: Call<undefined>): OperatorReply {
  const refusal = refusalOfFront(deps, call)
  if (refusal) return refusal
  const { params, headers, quirk } = call
  const country = headers['x-country'] ?? ''
  const order = deps.world.orders.find(kind, params.id ?? '')
  // Observed in Congo.
  if (country === 'CG' && params.id?.includes('-')) return refused('DP00800001005')
  if (!order || quirk('not_visible') !== undefined)
    return refused(codeIn(country, kind === 'collection' ? 'DP00800001025' : 'DP00900001015'))
  if (quirk('ambiguous') !== undefined)
    return envelope(
      { transaction: { id: order.id, message: 'Ambiguous.', status: 'TA' } },
      { code: kind === 'collection' ? 'DP00800001000' : 'DP00900001000', success: true },
    )
  return answerAbout(deps, order, country, { hasReceipt: kind === 'collection' })
}

/** @param hasReceipt an enquiry about a payout does not have it */
function answerAbout(
  { world }: OrderDeps,
  order: Order,
  country: string,
  { hasReceipt }: { readonly hasReceipt: boolean },
): OperatorReply {
  const { status, code } = stateOf(order, isVerdictReported(order, world.clock.now()))
  const [receipt] = order.receipts
  const isPaid = status === 'TS' && receipt !== undefined
  const isPayout = order.kind === 'disbursement'
  return envelope(
    {
      transaction: {
        ...(isPaid && hasReceipt && { [isPayout ? 'reference_id' : 'airtel_money_id']: receipt }),
        ...(isPayout && { airtel_money_id: `disbursement-${order.id}` }),
        id: order.id,
        message: `Of ${order.msisdn}: ${status}`,
        status,
      },
    },
    { code: codeIn(country, code), success: status !== 'TF' && status !== 'TE' },
  )
}

/** Airtel's check: it encrypts the body that came with the key that came. */
function isSignedWell({ key }: OrderDeps, { headers, text = '' }: Pick<Call<unknown>, 'headers' | 'text'>): boolean {
  try {
    const parts = decrypted(key, headers['x-key'] ?? '', 'pkcs1') ?? ''
    const [secret = '', iv = ''] = parts.split(':').map((part) => Buffer.from(part, 'base64'))
    const cipher = createCipheriv('aes-256-cbc', secret, iv)
    const own = Buffer.concat([cipher.update(text), cipher.final()]).toString('base64')
    return own === headers['x-signature']
  } catch {
    return false
  }
}

/** @returns undefined where the padding is the wrong one */
function decrypted(key: KeyObject, text: string, padding: OrderDeps['padding']): string | undefined {
  const how =
    padding === 'oaep'
      ? { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
      : { key, padding: constants.RSA_PKCS1_PADDING }
  try {
    const clear = privateDecrypt(how, Buffer.from(text, 'base64')).toString()
    // Node answers a wrong PKCS#1 padding with random bytes, so that nobody learns from it.
    return /^[\x20-\x7e]+$/.test(clear) ? clear : undefined
  } catch {
    return undefined
  }
}
