import type { RailAnswer, RailKnowledge, RailOrder, RailTraits } from '../../actions/ports/rail.ts'
import type { Currency } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { customerText } from '../customer-text.ts'
import type { Adapter, RailKind, RailWorld, RefundOrder, SandboxRailAccount, SettingValues } from '../rail-kind.ts'
import { balanceOf, holderOf } from './accounts.ts'
import { amountText } from './amount.ts'
import { readCallback } from './callback.ts'
import { codeIn, createProductCalls, faultOf, reportedOf, type ProductCalls } from './calls.ts'
import { checkProduct } from './check.ts'
import { ORDER_CALLS, type OrderKind } from './orders.ts'
import { probesOf } from './probes.ts'
import { readResult } from './results.ts'
import {
  credentialNames,
  CUSTOMER_TEXT_MAX,
  MTN_SETTINGS,
  PRODUCTS,
  readSettings,
  type MtnSettings,
  type Product,
} from './settings.ts'
import { MTN_STATEMENT } from './statement.ts'
import { readSubmission, unanswered } from './submit.ts'

const inSandbox = (country: string, provider: string, currency: Currency): SandboxRailAccount => ({
  name: `sandbox-${country}`,
  provider,
  currency,
  // An operator on this machine forgets nothing and is polled soon: nobody waits five minutes for a lost callback.
  settings: { target_environment: `mtn${country}`, ask_after_seconds: '10,20,30,60,300,600,1800,3600' },
})

/** MTN Mobile Money, by the MoMo Open API: collections by requesttopay, payouts by transfer or deposit. */
export const mtnMomo: RailKind = {
  name: 'mtn-momo',
  title: 'MTN MoMo',
  types: ['COLLECTION', 'PAYOUT'],
  needs: { COLLECTION: credentialNames('collection'), PAYOUT: credentialNames('disbursement') },
  // Unverified: the safe choice.
  productionHosts: ['proxy.momoapi.mtn.com'],
  sandboxHosts: ['sandbox.momodeveloper.mtn.com'],
  hasFloat: true,
  callbackTails: Object.keys(ORDER_CALLS),
  settings: MTN_SETTINGS,
  statement: MTN_STATEMENT,
  sandbox: [
    inSandbox('uganda', 'mtn_ug', 'UGX'),
    inSandbox('rwanda', 'mtn_rw', 'RWF'),
    inSandbox('ghana', 'mtn_gh', 'GHS'),
    inSandbox('zambia', 'mtn_zm', 'ZMW'),
  ],
  connect: (settings, world) => connect(settings, world),
}

interface Connection {
  readonly settings: MtnSettings
  readonly world: RailWorld
  /** The products that the rail account has credentials for. */
  readonly products: ReadonlyMap<Product, ProductCalls>
}

/** The fields of an order of any kind that MTN needs. */
interface MtnOrder extends Pick<RailOrder, 'orderId' | 'orderedAt' | 'amount' | 'shown'> {
  readonly kind: OrderKind
  /** The customer's or recipient's number, or the collection that a refund returns. */
  readonly counterpart: string
}

function connect(given: SettingValues, world: RailWorld): Adapter {
  const settings = readSettings(given)
  const products = new Map(
    PRODUCTS.flatMap((product) => {
      const credentials = settings.credentials[product]
      return credentials ? [[product, createProductCalls(product, credentials, settings, world)] as const] : []
    }),
  )
  const connection: Connection = { settings, world, products }
  return {
    traitsOf: (type) => traitsFrom(settings, type),
    submit: (order) => submit(connection, ofOrder(order, settings)),
    query: (order) => query(connection, ofOrder(order, settings)),
    refund: (refund) => submit(connection, ofRefund(refund)),
    queryRefund: (refund) => query(connection, ofRefund(refund)),
    readCallback: (callback) => readCallback(callback, world),
    balances: () => Promise.all([...products].map(([product, calls]) => balanceOf(product, calls))),
    check: async ({ account }) => {
      const rows = []
      for (const [product, calls] of products) {
        const credentials = settings.credentials[product]
        if (credentials)
          rows.push(...(await checkProduct({ product, calls, credentials, currency: world.currency }, account)))
      }
      return rows
    },
    probes: ({ account }) => probesOf(settings, world, account),
    holder: async (account) => {
      const [first] = products
      return first
        ? holderOf(first[0], first[1], account)
        : { knows: 'unreachable', error: 'the rail account has no product' }
    },
  }
}

/** Documented: our id is the idempotency key; MTN answers a repeated order with 409. */
function traitsFrom({ pollAfterMs, credentials, refundsParts }: MtnSettings, type: TransactionType): RailTraits {
  const traits: RailTraits = {
    repeat: 'safe',
    // A repeated order gets its reply at once, while a status query may find nothing for minutes.
    unanswered: 'repeat',
    pollAfterMs: (queried) => pollAfterMs[Math.min(queried, pollAfterMs.length - 1)] ?? 0,
  }
  return type === 'COLLECTION' && credentials.disbursement
    ? { ...traits, refund: { ...traits, partial: refundsParts } }
    : traits
}

const ofOrder = (order: RailOrder, { payoutCall }: MtnSettings): MtnOrder => ({
  ...order,
  kind: order.type === 'PAYOUT' ? payoutCall : 'collection',
  counterpart: order.account,
})
const ofRefund = (refund: RefundOrder): MtnOrder => ({
  ...refund,
  kind: 'refund',
  counterpart: refund.collection.orderId,
})

async function submit({ settings, world, products }: Connection, order: MtnOrder): Promise<RailAnswer> {
  const orderCalls = ORDER_CALLS[order.kind]
  const calls = products.get(orderCalls.product)
  if (!calls) return { answer: 'not_sent', error: withoutProduct(orderCalls.product) }
  const fault = faultOfCurrency(order.amount.currency, world.currency)
  if (fault !== undefined) return { answer: 'not_sent', error: fault }
  const text = customerText(settings.customerText, order, { max: CUSTOMER_TEXT_MAX, lastResort: 'Payment' })
  try {
    const reply = await orderCalls.submit(calls, {
      orderId: order.orderId,
      callbackUrl: world.callbackUrl(order.orderId, order.kind),
      counterpart: order.counterpart,
      body: {
        amount: amountText(order.amount),
        currency: world.currency,
        // MTN returns it in every reply and in its reports: statements are matched by it.
        externalId: order.orderId,
        payerMessage: text,
        payeeNote: text,
      },
    })
    return readSubmission(reply, orderCalls.type, world.failureCodes)
  } catch (error) {
    return unanswered(error)
  }
}

async function query(connection: Connection, order: MtnOrder): Promise<RailKnowledge> {
  const { product, type, party, query: question } = ORDER_CALLS[order.kind]
  const calls = connection.products.get(product)
  if (!calls) return { knows: 'unreachable', error: withoutProduct(product) }
  try {
    const reply = await question(calls, order.orderId)
    const { orderId, amount, counterpart: account } = order
    const { failureCodes } = connection.world
    if (reply.response.ok) return readResult(reply.data, { orderId, amount, type, party, account, failureCodes })
    const isUnknown = reply.response.status === 404 && codeIn(reply.error) === 'RESOURCE_NOT_FOUND'
    return isUnknown ? unknownToMtn(connection, order) : { knows: 'unreachable', error: reportedOf(reply) }
  } catch (error) {
    return { knows: 'unreachable', error: faultOf(error) }
  }
}

/**
 * MTN does not document how soon it shows an accepted order, so a young order may have arrived although it is not
 * found. The same holds for an order of unknown age.
 */
function unknownToMtn({ settings, world }: Connection, { orderedAt }: MtnOrder): RailKnowledge {
  const ageMs = orderedAt ? world.clock.now().getTime() - orderedAt.getTime() : 0
  return ageMs >= settings.notFoundAfterMs
    ? { knows: 'nothing_moved' }
    : {
        knows: 'unreachable',
        error: 'MTN does not know it, and it is too young for that to mean that it never arrived',
      }
}

const withoutProduct = (product: Product): string => `the rail account has no credentials for ${product}`

const faultOfCurrency = (given: Currency, own: Currency): string | undefined =>
  given === own ? undefined : `the order is in ${given}, and the rail account takes ${own} only`
