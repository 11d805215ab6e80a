import type { RailAnswer, RailKnowledge, RailOrder, RefundOrder } from '../../actions/ports/rail.ts'
import { amountText } from '../../domain/money.ts'
import { customerText } from '../customer-text.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { NotSent } from '../operator-errors.ts'
import type { RailWorld } from '../rail-kind.ts'
import { codeIn, faultOf, reportedOf, type CallReply, type Calls, type Send } from './calls.ts'
import { hasArrived, isNotFound, isRefusedByFront, isUnreadable, SETUP } from './codes.ts'
import { encryptedPin, type SignatureHeaders } from './encryption.ts'
import { differenceTo, isOpen, outcomeIn, transactionIn, wireId } from './results.ts'
import { REFERENCE_MAX, type AirtelSettings, type SignedCall } from './settings.ts'

export interface AirtelConnection {
  readonly settings: AirtelSettings
  readonly world: RailWorld
  readonly calls: Calls
}

type Unanswered = Extract<RailAnswer, { error: string }>

const NOT_OF_THE_COUNTRY: RailAnswer = {
  answer: 'refused',
  reason: 'The number is not one of the country of this Airtel Money account',
  code: 'account_not_found',
}
const TOO_LARGE: RailAnswer = {
  answer: 'refused',
  reason: 'Airtel Money does not move such an amount',
  code: 'not_allowed',
}

/** Documented: numbers go without the country code. @returns undefined for a number of another country */
export const nationalNumber = (account: string, { callingCode }: AirtelSettings): string | undefined =>
  account.startsWith(callingCode) ? account.slice(callingCode.length) : undefined

/** More digits than a JSON number keeps at Airtel, whatever reads it there. */
const DIGITS_MAX = 15

/** An amount as Airtel takes it. @returns undefined for one that it cannot take */
function wireAmount({ amount }: Pick<RailOrder, 'amount'>, { amountAsText }: AirtelSettings) {
  const text = amountText(amount.amountMinor, amount.currency)
  if (text.replace('.', '').length > DIGITS_MAX) return undefined
  return amountAsText ? text : Number(text)
}

const otherCurrency = (given: string, { currency }: RailWorld): string =>
  `the order is in ${given}, and the rail account takes ${currency} only`

/** Sends an order, signed where the country wants that. */
export async function submitOrder(connection: AirtelConnection, order: RailOrder): Promise<RailAnswer> {
  const { settings, world } = connection
  if (order.amount.currency !== world.currency)
    return { answer: 'not_sent', error: otherCurrency(order.amount.currency, world) }
  const [msisdn, amount] = [nationalNumber(order.account, settings), wireAmount(order, settings)]
  if (msisdn === undefined) return NOT_OF_THE_COUNTRY
  if (amount === undefined) return TOO_LARGE
  const id = wireId(order.orderId)
  const parts = { id, msisdn, amount, reference: referenceOf(order, id, settings) }
  return answered(async () =>
    order.type === 'COLLECTION'
      ? ofCollection(order, await collect(connection, order, parts))
      : ofPayout(connection, order, await payOut(connection, order, parts)),
  )
}

/** What the customer reads: letters and digits, four at least. Where it has to be the id, it is. */
function referenceOf(order: RailOrder, id: string, { reference }: AirtelSettings): string {
  if (reference === 'id') return id
  const text = customerText(reference, order, { max: REFERENCE_MAX, lastResort: 'Payment' }).replaceAll(' ', '')
  return text.length < 4 ? 'Payment' : text
}

interface OrderParts {
  readonly reference: string
  readonly id: string
  readonly msisdn: string
  readonly amount: string | number
}

async function collect(
  connection: AirtelConnection,
  { orderId }: RailOrder,
  { id, msisdn, amount, reference }: OrderParts,
) {
  const { country, currency } = connection.settings
  const body = {
    reference,
    subscriber: { country, currency, msisdn },
    transaction: { amount, country, currency, id },
  }
  return send(connection, 'collections', orderId, body, (signature) => ({ POST }, { params, ...access }) => {
    const sent = { ...access, body, bodySerializer: JSON.stringify }
    return signature
      ? POST('/merchant/v2/payments/', { ...sent, params: { header: { ...params.header, ...signature } } })
      : POST('/merchant/v1/payments/', { ...sent, params })
  })
}

async function payOut(
  connection: AirtelConnection,
  { orderId }: RailOrder,
  { id, msisdn, amount, reference }: OrderParts,
) {
  const { calls, settings } = connection
  const { payouts, currency } = settings
  if (!payouts) throw new NotSent('the rail account has no PIN, so it pays nothing out')
  const key = payouts.pinKey ?? (await calls.encryptionKey())
  const shared = { reference, pin: encryptedPin(payouts.pin, key, payouts.padding) }
  const first = { ...shared, payee: { msisdn }, transaction: { amount, id } }
  const type = 'B2C' as const
  const second = { ...shared, payee: { msisdn, currency }, transaction: { amount, id, type } }
  const third = { ...second, payee: { ...second.payee, wallet_type: 'NORMAL' as const } }
  const body = { 1: first, 2: second, 3: third }[payouts.version]
  return send(connection, 'payouts', orderId, body, (signature) => ({ POST }, { params, ...access }) => {
    const sent = { ...access, bodySerializer: JSON.stringify }
    const header = { ...params.header, ...signature }
    if (payouts.version === '1') return POST('/standard/v1/disbursements/', { ...sent, params, body: first })
    if (payouts.version === '2')
      return POST('/standard/v2/disbursements/', { ...sent, params: { header }, body: second })
    return POST('/standard/v3/disbursements', {
      ...sent,
      params: { header: header as typeof header & SignatureHeaders },
      body: third,
    })
  })
}

/** The signature is over the bytes that go out: `JSON.stringify` writes the same ones twice. */
async function send(
  { settings, calls }: AirtelConnection,
  call: SignedCall,
  orderId: string,
  body: object,
  sending: (signature: SignatureHeaders | undefined) => Send,
): Promise<CallReply> {
  const signature = settings.signedCalls.has(call) ? await calls.signed(JSON.stringify(body)) : undefined
  const reply = await calls.call({ purpose: 'submit', orderId }, sending(signature))
  if (isUnreadable(codeIn(reply.said))) calls.forgetKey()
  return reply
}

async function answered(run: () => Promise<RailAnswer>): Promise<RailAnswer> {
  try {
    return await run()
  } catch (error) {
    return { answer: error instanceof NotSent ? 'not_sent' : 'unreachable', error: faultOf(error) }
  }
}

/** What every answer to an order may say. @returns undefined: it says more */
function ofFront(reply: CallReply): RailAnswer | undefined {
  const code = textOf(fieldAt(reply.said, 'status_code'))
  // Token, address and product are looked at before the order: it may go out again once they are right.
  if (reply.status === 401 || reply.status === 403) return { answer: 'not_sent', error: reportedOf(reply) }
  if ((reply.status === 200 || reply.status === 400) && isRefusedByFront(code)) return { answer: 'refused', ...SETUP }
  return undefined
}

const unclear = (reply: CallReply): Unanswered => ({ answer: 'unreachable', error: reportedOf(reply) })

/**
 * Airtel has the order, or it is asked: neither the state in this answer nor its code decides anything, as TS comes
 * before any PIN, and countries disagree about codes.
 */
function ofCollection({ orderId }: RailOrder, reply: CallReply): RailAnswer {
  const front = ofFront(reply)
  if (front) return front
  if (reply.status !== 200) return unclear(reply)
  if (hasArrived(codeIn(reply.said))) return { answer: 'accepted' }
  const said = transactionIn(reply.said)
  // A sample prints false for the id.
  const isOurs = said !== undefined && (said.id === undefined || said.id === orderId.toLowerCase())
  return isOurs && fieldAt(reply.said, 'status', 'success') === true ? { answer: 'accepted' } : unclear(reply)
}

/** TS is final in the answer itself; TF is asked once more. */
function ofPayout({ settings, world }: AirtelConnection, order: RailOrder, reply: CallReply): RailAnswer {
  const front = ofFront(reply)
  if (front) return front
  if (reply.status !== 200) return unclear(reply)
  const said = transactionIn(reply.said)
  if (said && differenceTo(order, said) === undefined) {
    const known = outcomeIn(said, { ...settings, ...world, receipt: 'reference_id' })
    if (known?.outcome.status === 'COMPLETED') return { answer: 'outcome', ...known }
    if (known || isOpen(said)) return { answer: 'accepted' }
  }
  return said === undefined && hasArrived(codeIn(reply.said)) ? { answer: 'accepted' } : unclear(reply)
}

/** Asks what became of an order. */
export async function queryOrder(connection: AirtelConnection, order: RailOrder): Promise<RailKnowledge> {
  const { settings, world, calls } = connection
  try {
    const reply = await calls.call({ purpose: 'ask', orderId: order.orderId }, enquiryOf(settings, order))
    if (reply.status !== 200) return { knows: 'unreachable', error: reportedOf(reply) }
    const said = transactionIn(reply.said)
    if (!said) return withoutTransaction(connection, order, reply)
    const wrong = differenceTo(order, said)
    if (wrong !== undefined) return { knows: 'unreachable', error: `Airtel's answer has ${wrong}` }
    const receipt = order.type === 'COLLECTION' ? 'airtel_money_id' : 'reference_id'
    const known = outcomeIn(said, { ...settings, ...world, receipt })
    if (known) return { knows: 'outcome', ...known }
    return isOpen(said)
      ? { knows: 'in_progress' }
      : { knows: 'unreachable', error: 'Airtel answered a state that it does not document' }
  } catch (error) {
    return { knows: 'unreachable', error: faultOf(error) }
  }
}

function enquiryOf({ payouts }: AirtelSettings, { type, orderId }: RailOrder): Send {
  const id = wireId(orderId)
  const asked = ({ params, ...access }: Parameters<Send>[1]) => ({ ...access, params: { ...params, path: { id } } })
  if (type === 'COLLECTION') return ({ GET }, access) => GET('/standard/v1/payments/{id}', asked(access))
  if (payouts?.version === '2')
    return ({ GET }, access) => {
      const { params, ...rest } = asked(access)
      const query = { transactionType: 'B2C' as const }
      return GET('/standard/v2/disbursements/{id}', { ...rest, params: { ...params, query } })
    }
  if (payouts?.version === '3') return ({ GET }, access) => GET('/standard/v3/disbursements/{id}', asked(access))
  return ({ GET }, access) => GET('/standard/v1/disbursements/{id}', asked(access))
}

/** A young order may have arrived although it is not found; so may one of unknown age. */
function withoutTransaction({ settings, world }: AirtelConnection, order: RailOrder, reply: CallReply): RailKnowledge {
  if (!isNotFound(codeIn(reply.said))) return { knows: 'unreachable', error: reportedOf(reply) }
  const ageMs = order.orderedAt ? world.clock.now().getTime() - order.orderedAt.getTime() : 0
  return ageMs >= settings.notFoundAfterMs
    ? { knows: 'nothing_moved' }
    : {
        knows: 'unreachable',
        error: 'Airtel does not know it, and it is too young for that to mean that it never arrived',
      }
}

/** The receipt of a collection among its external ids, and that of its refund. */
const RECEIPT = 'airtel_money_id'

/**
 * Gives a whole collection back, by its receipt. Airtel takes no id of ours and is not asked about it: what is not
 * answered stays unknown, and the list or a person ends it.
 */
export function submitRefund(connection: AirtelConnection, refund: RefundOrder): Promise<RailAnswer> {
  const { collection, amount, orderId } = refund
  return answered(async () => {
    if (amount.currency !== connection.world.currency)
      throw new NotSent(otherCurrency(amount.currency, connection.world))
    if (amount.amountMinor !== collection.amount.amountMinor || amount.currency !== collection.amount.currency)
      return { answer: 'refused', reason: 'Airtel Money gives back whole collections only', code: 'not_allowed' }
    const receipt = collection.externalIds[RECEIPT]
    if (receipt === undefined) throw new NotSent('the receipt of the collection is not known yet')
    const body = { transaction: { [RECEIPT]: receipt } }
    const reply = await send(connection, 'refunds', orderId, body, (signature) => ({ POST }, { params, ...access }) => {
      const sent = { ...access, body, bodySerializer: JSON.stringify }
      return signature
        ? POST('/standard/v2/payments/refund', { ...sent, params: { header: { ...params.header, ...signature } } })
        : POST('/standard/v1/payments/refund', { ...sent, params })
    })
    return ofFront(reply) ?? ofRefund(receipt, reply)
  })
}

/** Documented: SUCCESS, beside a `success` that may be false, and the receipt of the refund. */
function ofRefund(collection: string, reply: CallReply): RailAnswer {
  const said = reply.status === 200 ? transactionIn(reply.said) : undefined
  const own = said?.receipts[RECEIPT]
  return said?.status === 'SUCCESS' && own !== undefined && own !== collection
    ? { answer: 'outcome', outcome: { status: 'COMPLETED' }, receipts: { [RECEIPT]: own } }
    : unclear(reply)
}
