import type { Order, PlayedLife, Row, Stage } from '../check/row.ts'
import type { Event } from '../events.ts'
import type { ReplyOutcome } from '../exchange.ts'
import { callBack, comeBack, inWords, isYes, startFault, told, type CertifyStage } from './acts.ts'

// Lives in which the shop calls Malipo: it starts payments, verifies them, and reads what it has missed.

const shared = { weight: 'must', answer: 'acknowledged', fulfilled: 1, isAboutEffect: true } as const
const redirect = { ...shared, group: 'redirect', answer: 'shown' } as const
const gateway = { ...shared, group: 'gateway' } as const

const withGateway =
  (play: (stage: CertifyStage) => Promise<PlayedLife>): ((stage: Stage) => Promise<PlayedLife>) =>
  async (stage) => {
    if (!isCertifyStage(stage)) throw new Error('only certify plays this')
    return { ...(await play(stage)), calls: stage.gateway.calls }
  }

const isCertifyStage = (stage: Stage): stage is CertifyStage => 'gateway' in stage

/** A server that handles one request at a time cannot answer: it waits for the reply itself. */
const EARLY_CALLBACK_MS = 3_000

/** Starts the payment of the order, with one callback about it: before the reply, or afterwards. */
const paid = (how: 'before the reply' | 'after a lost reply' | 'after two orders at once') =>
  withGateway(async (stage) => {
    const { internalReference } = stage.order
    const [replies, webhookId]: [ReplyOutcome[], string] = [[], stage.context.newWebhookId()]
    const reportPaid = async (timeoutMs?: number) => {
      const reply = await callBack(stage, told(stage, 'completed'), webhookId, timeoutMs)
      // A shop may refuse, or have no time for, what it does not know yet: Malipo comes again.
      if (isYes(reply) || timeoutMs === undefined) replies.push(reply)
    }
    const onCollection = async (isReplay: boolean) => {
      if (how === 'before the reply' && !isReplay) await reportPaid(EARLY_CALLBACK_MS)
      return how === 'after a lost reply' && !isReplay ? 'lose' : 'reply'
    }
    stage.gateway.begin({ internalReference, onCollection })
    const started = await Promise.all([stage.start(), ...(how === 'after two orders at once' ? [stage.start()] : [])])
    if (replies.length === 0) await reportPaid()
    const fault = started.map((reply) => startFault(stage, reply)).find((text) => text !== undefined)
    return { replies, ...(fault !== undefined && { fault }) }
  })

/** More than a page. */
const EVENTS_OF_OTHERS = 100

export const GATEWAY_LIVES: readonly Row[] = [
  {
    ...redirect,
    id: 'redirect_underpaid',
    fulfilled: 0,
    title: 'A customer who paid less, and comes back with a genuine signature',
    correct: 'fulfils nothing: it asks verify, and compares the amount with its own order',
    why: 'The signature of the redirect covers no amount: whoever has your public key pays 50 under an order of 5000, and comes back with "completed".',
    play: withGateway(async (stage) => {
      const { order, gateway: malipo } = stage
      const outcome = told(stage, 'completed', { ...order, amount: order.amount / 100 })
      malipo.begin({ internalReference: order.internalReference, outcome })
      return { replies: [await comeBack(stage, outcome)] }
    }),
  },
  {
    ...redirect,
    id: 'callback_lost',
    title: 'A callback that is lost: the customer comes back, and verify knows more',
    correct: 'asks verify when the customer comes back, fulfils the order, and once only when the callback comes late',
    why: 'Callbacks can be minutes late. Without a question the customer looks at an unpaid order, and pays again.',
    play: withGateway(async (stage) => {
      const outcome = told(stage, 'completed')
      stage.gateway.begin({ internalReference: stage.order.internalReference, outcome })
      const shown = await comeBack(stage, outcome)
      const asked = stage.gateway.calls.some((call) => call.includes('/data/transaction/verify/'))
      const late = await callBack(stage, outcome)
      const fault = asked ? undefined : 'it did not ask GET /data/transaction/verify while the callback was missing'
      return { replies: [shown, late], ...(fault !== undefined && { fault }) }
    }),
  },
  {
    ...gateway,
    id: 'callback_before_reply',
    startsOrder: true,
    title: 'A callback that comes before the reply to the collection',
    correct: 'has stored the order before it calls Malipo, answers 2xx, and fulfils it once',
    why: 'Some operators are faster than the way back: an order that is stored after the reply is unknown when it is paid.',
    play: paid('before the reply'),
  },
  {
    ...gateway,
    id: 'reply_lost',
    startsOrder: true,
    title: 'The reply to the collection is lost, and the customer pays',
    correct: 'keeps the order and its reference, tries again under them only, and fulfils the order once',
    why: 'No reply is not a no: Malipo has the collection. A new reference charges the customer twice; a forgotten order takes money for nothing.',
    play: paid('after a lost reply'),
  },
  {
    ...gateway,
    id: 'ordered_twice',
    startsOrder: true,
    title: 'The customer presses the button twice',
    correct: 'starts one collection under one reference, and fulfils the order once',
    why: 'A second reference is a second payment. Under the first, Malipo answers 409, or replays its reply to the same Idempotency-Key.',
    play: paid('after two orders at once'),
  },
  {
    ...gateway,
    id: 'outage',
    title: 'A day’s outage: callbacks are lost, and read later from GET /data/events',
    correct: 'reads every page on, fulfils each order once, and not again when it reads twice or a callback comes late',
    why: 'Malipo tries a callback for three days. What your server missed or lost is only found in the list of events.',
    play: withGateway(async (stage) => {
      const { order, context } = stage
      const orders: readonly Order[] = [order, stage.newOrder(), stage.newOrder()]
      for (const other of orders.slice(1)) await stage.expect(other)
      const listed = (event: Event) => ({ webhookId: context.newWebhookId(), event })
      const others = Array.from({ length: EVENTS_OF_OTHERS }, () => listed(told(stage, 'failed', stage.newOrder())))
      const [first, second, third] = orders.map((each) => listed(told(stage, 'completed', each)))
      const unknown = listed({ event: 'subscription.renewed', payload: {} })
      const events = [first, unknown, second, ...others, third].filter((event) => event !== undefined)
      stage.gateway.begin({ internalReference: order.internalReference, events })
      const reads = [await stage.catchUp(), await stage.catchUp()]
      const late = await callBack(stage, told(stage, 'completed'), first?.webhookId)
      const also = orders.slice(1).map(({ merchantReference }) => merchantReference)
      return { replies: [late], also, ...readFault(stage, reads) }
    }),
  },
]

function readFault({ gateway: { calls } }: CertifyStage, reads: readonly ReplyOutcome[]): { fault?: string } {
  const refused = reads.find((reply) => !isYes(reply))
  if (refused)
    return {
      fault: `POST {"action": "catch_up"} to its test page: ${inWords(refused)}`,
    }
  return calls.some((call) => call.includes('/data/events')) ? {} : { fault: 'it did not ask GET /data/events' }
}
