import { isObject } from '../../../reading/json.ts'
import type { CallbackText, MessagesToMerchant, UnrequestedPayments } from '../operator.ts'
import { isWanted, unrequestedOrder } from '../unrequested.ts'
import type { NewOrder, Order } from '../world/order.ts'
import type { OperatorState } from '../world/world.ts'
import type { DarajaHandlers } from './contract.ts'
import type { ErrorReply } from './error-replies.ts'
import { compactTime } from './nairobi-time.ts'
import { withCents } from './pull.ts'
import { OPENING_BALANCES, SIMULATED_MERCHANT } from './simulated-merchant.ts'

/** The kind of payments that customers make without a prompt. */
export const C2B = 'c2b'

/** The addresses of a short code. */
interface Registered {
  readonly confirmationUrl: string
  readonly validationUrl: string
  /** What becomes of a payment when nobody answers its validation. */
  readonly unanswered: 'Completed' | 'Cancelled'
}
type C2bDetails = Partial<Registered>

/** C2B: addresses are registered once, then payments that nobody asked for are reported there. */
export function createC2b(
  world: Pick<OperatorState, 'orders' | 'chance' | 'clock'>,
  refuse: ErrorReply,
  callbacks: Pick<MessagesToMerchant, 'ask'>,
) {
  const registered = new Map<string, Registered>()
  const unrequested: UnrequestedPayments = {
    questionOf: c2bQuestion,
    /** Every answer but 0 ends the payment. */
    isWelcome: (answer, { details }) =>
      answer === undefined
        ? (details as C2bDetails).unanswered !== 'Cancelled'
        : isObject(answer) && String(answer['ResultCode']) === '0',
    orderOf: (payment) =>
      unrequestedOrder(world, payment, { kind: C2B, currency: 'KES', details: { ...registered.get(payment.account) } }),
  }
  const taken = () => ({
    status: 200,
    body: { OriginatorCoversationID: world.chance.uuid(), ResponseCode: '0', ResponseDescription: 'success' },
  })
  const handlers: Pick<DarajaHandlers, 'registerUrls' | 'simulateC2b'> = {
    registerUrls({ body: { ShortCode, ConfirmationURL, ValidationURL, ResponseType } }) {
      if (!(ShortCode in OPENING_BALANCES)) return refuse('400.002.02', 'Invalid ShortCode: it is not ours')
      if (registered.has(ShortCode)) return refuse('500.003.1001', 'Urls are already registered')
      registered.set(ShortCode, {
        confirmationUrl: ConfirmationURL,
        validationUrl: ValidationURL,
        unanswered: ResponseType,
      })
      return taken()
    },
    /** The customer pays before the reply: what a program sees is the same. */
    async simulateC2b({ body: { ShortCode, Amount, Msisdn, BillRefNumber }, accept }) {
      if (!(ShortCode in OPENING_BALANCES)) return refuse('400.002.02', 'Invalid ShortCode: it is not ours')
      const payment = { account: ShortCode, msisdn: Msisdn, amount: String(Amount), reference: BillRefNumber ?? '' }
      const order = unrequested.orderOf(payment)
      if (await isWanted(unrequested, order, callbacks, world.clock.now())) accept(order)
      return taken()
    },
  }
  return { handlers, unrequested }
}

/** Only a payment is reported. */
export function c2bCallbacks(order: Order): readonly CallbackText[] {
  const { confirmationUrl } = order.details as C2bDetails
  const [receipt] = order.receipts
  if (confirmationUrl === undefined || receipt === undefined) return []
  return [{ operations: { POST: 'c2bConfirmation' }, url: confirmationUrl, body: bodyOf(order, receipt) }]
}

/** Safaricom's question before the payment; undefined where nobody registered. */
function c2bQuestion(order: NewOrder, at: Date): CallbackText | undefined {
  const { validationUrl: url } = order.details as C2bDetails
  const body = bodyOf({ ...order, acceptedAt: at, settledAt: at }, order.id.slice(0, 10))
  return url === undefined ? undefined : { operations: { POST: 'c2bValidation' }, url, body }
}

/** The payer's number is hidden in part, as version 2 has it. */
const bodyOf = (
  { account, msisdn, amount, externalId, settledAt, acceptedAt }: NewOrder & Pick<Order, 'settledAt' | 'acceptedAt'>,
  receipt: string,
): object => ({
  TransactionType: account === SIMULATED_MERCHANT.till ? 'Buy Goods' : 'Pay Bill',
  TransID: receipt,
  TransTime: compactTime(settledAt ?? acceptedAt),
  TransAmount: withCents(amount),
  BusinessShortCode: account,
  BillRefNumber: externalId,
  InvoiceNumber: '',
  OrgAccountBalance: '',
  ThirdPartyTransID: '',
  MSISDN: `${msisdn.slice(0, 4)} ***** ${msisdn.slice(-3)}`,
  FirstName: 'Simulated',
  MiddleName: '',
  LastName: 'Customer',
})
