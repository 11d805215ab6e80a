import type { Call, Handlers, OperatorReply } from '../operator.ts'
import { isAmount, toUnits } from '../world/decimal.ts'
import type { NewOrder, Order } from '../world/order.ts'
import type { OperatorState } from '../world/world.ts'
import type { operations } from './contract.ts'
import type { Countries } from './countries.ts'
import type { Credentials } from './credentials.ts'
import { refused, refusedByFront } from './refusals.ts'
import { queriedResultOf, type Kind, type MtnDetails } from './results.ts'
import { testNumber } from './test-numbers.ts'

interface OrderDeps {
  readonly world: OperatorState
  readonly credentials: Credentials
  readonly countries: Countries
}

type OrderHandlers = Pick<
  Handlers<operations>,
  | 'requestToPay'
  | 'getRequestToPayStatus'
  | 'notifyPayer'
  | 'transfer'
  | 'getTransferStatus'
  | 'deposit'
  | 'getDepositStatus'
  | 'refund'
  | 'getRefundStatus'
>

interface OrderedBody {
  readonly amount: string
  readonly currency: string
  readonly externalId: string
  readonly payerMessage?: string | undefined
  readonly payeeNote?: string | undefined
}

interface OrderInput extends Pick<NewOrder, 'kind' | 'direction' | 'account' | 'msisdn' | 'asks' | 'plan'> {
  readonly more?: Pick<MtnDetails, 'refundOf'>
}

/** Requests to pay, transfers, deposits and refunds. */
export function orderHandlers(deps: OrderDeps): OrderHandlers {
  const { world, countries } = deps
  const payOut = (kind: 'transfer' | 'deposit') => (call: Parameters<OrderHandlers['transfer']>[0]) =>
    submit(deps, call, {
      kind,
      direction: 'out',
      account: countries.accountOf('disbursement', call.headers),
      msisdn: call.body.payee.partyId,
      asks: false,
    })
  return {
    requestToPay: (call) =>
      submit(deps, call, {
        kind: 'collection',
        direction: 'in',
        account: countries.accountOf('collection', call.headers),
        msisdn: call.body.payer.partyId,
        asks: true,
      }),
    transfer: payOut('transfer'),
    deposit: payOut('deposit'),
    refund: (call) => giveBack(deps, call),
    getRequestToPayStatus: (call) => request(deps, 'collection', call),
    getTransferStatus: (call) => request(deps, 'transfer', call),
    getDepositStatus: (call) => request(deps, 'deposit', call),
    getRefundStatus: (call) => request(deps, 'refund', call),
    notifyPayer({ params, headers, body }) {
      if (!countries.currencyOf(headers)) return refused('NOT_ALLOWED_TARGET_ENVIRONMENT')
      const order = world.orders.find('collection', params.referenceId ?? '')
      if (order === undefined) return refused('RESOURCE_NOT_FOUND')
      world.phones.send(order.msisdn, { at: world.clock.now(), text: body.notificationMessage })
      return { status: 200 }
    },
  }
}

/** Accepts an order unless a rule forbids it. */
function submit(deps: OrderDeps, call: Call<OrderedBody>, { more = {}, ...order }: OrderInput): OperatorReply {
  const { body, headers, accept } = call
  const id = headers['x-reference-id'] ?? ''
  const refusal = refusalOf(deps, call, order)
  if (refusal) return refusal
  const callbackUrl = headers['x-callback-url']
  const details: MtnDetails = {
    ...(body.payerMessage !== undefined && { payerMessage: body.payerMessage }),
    ...(body.payeeNote !== undefined && { payeeNote: body.payeeNote }),
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...more,
  }
  const { amount, currency, externalId } = body
  accept({ ...order, id, amount, currency, externalId, details: { ...details } })
  return { status: 202 }
}

function giveBack(deps: OrderDeps, call: Call<OrderedBody & { readonly referenceIdToRefund: string }>): OperatorReply {
  const { world, countries } = deps
  const collection = world.orders.find('collection', call.body.referenceIdToRefund)
  // MTN's reply to an unknown one is not known; an order without a customer cannot be accepted.
  if (collection === undefined) return refused('RESOURCE_NOT_FOUND', 500)
  return submit(deps, call, {
    kind: 'refund',
    direction: 'out',
    account: countries.accountOf('disbursement', call.headers),
    msisdn: collection.msisdn,
    asks: false,
    ...(!isCovered(world, collection, call.body.amount) && {
      plan: { verdict: { state: 'failed', code: 'NOT_ALLOWED' }, afterMs: 0 },
    }),
    more: { refundOf: collection.id },
  })
}

/** The state of an order of this kind. */
function request(
  { world, countries }: OrderDeps,
  kind: Kind,
  { params, headers, quirk }: Call<undefined>,
): OperatorReply {
  if (!countries.currencyOf(headers)) return refused('NOT_ALLOWED_TARGET_ENVIRONMENT')
  const order = world.orders.find(kind, params.referenceId ?? '')
  if (order === undefined || quirk('not_visible') !== undefined) return refused('RESOURCE_NOT_FOUND')
  return { status: 200, body: queriedResultOf(order, world.clock.now(), quirk('reason_object') !== undefined) }
}

/** Whether this amount of a collection was paid and is not refunded yet, by the known refunds. */
function isCovered({ orders }: OperatorState, collection: Order, amount: string): boolean {
  if (collection.state !== 'succeeded') return false
  const refunds = orders
    .of(collection.msisdn)
    .filter(({ details, state }) => (details as MtnDetails).refundOf === collection.id && state !== 'failed')
  const given = refunds.reduce((sum, refund) => sum + toUnits(refund.amount), toUnits(amount))
  return given <= toUnits(collection.amount)
}

function refusalOf(
  deps: OrderDeps,
  { headers, body }: Call<OrderedBody>,
  { kind, msisdn }: Pick<NewOrder, 'kind' | 'msisdn'>,
): OperatorReply | undefined {
  const currency = deps.countries.currencyOf(headers)
  if (currency === undefined) return refused('NOT_ALLOWED_TARGET_ENVIRONMENT')
  if (deps.world.orders.find(kind, headers['x-reference-id'] ?? '')) return refused('RESOURCE_ALREADY_EXIST')
  if (!isAmount(body.amount)) return refusedByFront(400, 'The amount has more decimals than any currency')
  if (body.currency !== currency) return refused('INVALID_CURRENCY')
  const callbackUrl = headers['x-callback-url']
  if (callbackUrl !== undefined && !isOfHost(callbackUrl, deps.credentials.userOf(headers)?.callbackHost))
    return refused('INVALID_CALLBACK_URL_HOST')
  // A refund goes back to the payer: the table is about named payees.
  if (kind === 'refund') return undefined
  const known = testNumber(kind === 'collection' ? 'payer' : 'payee', msisdn)
  return known?.refused === undefined ? undefined : refused(known.refused)
}

/** With or without a port, as entered when the API user was created. */
function isOfHost(callbackUrl: string, host: string | undefined): boolean {
  const url = URL.parse(callbackUrl)
  return url !== null && host !== undefined && [url.host, url.hostname].includes(host.toLowerCase())
}
