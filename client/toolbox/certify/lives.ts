import { GOOD_ROWS, signed } from '../check/good-rows.ts'
import { HANDSHAKE_ROWS } from '../check/handshake-rows.ts'
import { HOSTILE_ROWS } from '../check/hostile-rows.ts'
import { REDIRECT_ROWS } from '../check/redirect-rows.ts'
import type { Row } from '../check/row.ts'
import { batchEventOf, eventOf, type Event } from '../events.ts'
import { callbackMessage } from '../messages.ts'
import { webhookHeaders, webhookSignature } from '../sign.ts'
import { callBack, inWords, isNo, isYes, told } from './acts.ts'
import { GATEWAY_LIVES } from './gateway-lives.ts'

const callback = { group: 'callback', weight: 'must', answer: 'acknowledged', isAboutEffect: true } as const

/** Tries of a message whose acknowledgement was lost. */
const TRIES = 5
/** Malipo waits 15 seconds; nobody wants to wait for that here. */
const IMPATIENCE_MS = 60

const OWN_LIVES: readonly Row[] = [
  {
    ...callback,
    id: 'slow_acknowledgement',
    title: 'A slow acknowledgement: Malipo stops waiting, and sends the event again',
    fulfilled: 1,
    correct: 'finishes or undoes what it began, answers 2xx to a later try, and fulfils the order once',
    why: 'An event that is noted as handled before it is, and is then interrupted, is lost for ever.',
    play: async (stage) => {
      const message = signed(stage.context, told(stage, 'completed'))
      await stage.send(message, IMPATIENCE_MS)
      let reply = await stage.send(message)
      for (let tries = 1; tries < TRIES && !isYes(reply); tries++) reply = await stage.send(message)
      return { replies: [reply] }
    },
  },
  {
    ...callback,
    id: 'late_success',
    title: 'A payment that failed, and was paid after all',
    fulfilled: 1,
    correct: 'answers 2xx to both, and fulfils the order once',
    why: 'With allow_final_status_change an operator may correct FAILED to COMPLETED within 72 hours: the customer has paid.',
    play: async (stage) => ({
      replies: [await callBack(stage, told(stage, 'failed')), await callBack(stage, told(stage, 'completed'))],
    }),
  },
  {
    ...callback,
    id: 'unknown_event',
    title: 'Two events of a later version',
    fulfilled: 0,
    correct: 'answers 2xx, and does nothing',
    why: 'New events come without a new version. Whoever refuses them is sent them for three days, and whoever takes them for a payment gives goods away.',
    play: async (stage) => {
      const { payload } = told(stage, 'completed')
      return {
        replies: [
          await callBack(stage, { event: 'transaction.held', payload: { ...payload, transaction_status: 'HELD' } }),
          await callBack(stage, { event: 'subscription.renewed', payload: { subscription: 'SUB-2026-0001' } }),
        ],
      }
    },
  },
  {
    ...callback,
    id: 'rotation',
    title: 'Both keys in rotation: the old signing key, and two webhook signatures',
    fulfilled: 1,
    correct: 'answers 2xx: one valid v1 signature is enough, and hmac-signature may still be the old key’s',
    why: 'While keys change, webhook-signature carries the old and the new secret, and hmac-signature the old key until it ends.',
    play: async (stage) => {
      const { url, keys, otherKeys, now, newWebhookId } = stage.context
      const [webhookId, at] = [newWebhookId(), now()]
      const message = callbackMessage({
        url,
        event: told(stage, 'completed'),
        webhookId,
        at,
        keys: { ...keys, signingKey: otherKeys.signingKey },
      })
      const old = webhookSignature({ webhookId, at, body: message.body }, otherKeys.webhookSecret)
      const headers = {
        ...message.headers,
        'webhook-signature': `${old} ${message.headers['webhook-signature'] ?? ''}`,
      }
      return { replies: [await stage.send({ ...message, headers })] }
    },
  },
  ...(['completed', 'failed'] as const).map((outcome): Row => {
    const isPaid = outcome === 'completed'
    return {
      ...callback,
      id: isPaid ? 'refund' : 'refund_failed',
      title: isPaid ? 'An order that is paid and refunded' : 'An order that is paid, and whose refund fails',
      fulfilled: 1,
      correct: 'answers 2xx to the payment, the refund and a late copy of the payment, and fulfils the order once',
      why: isPaid
        ? 'Refunds are made by people too, in the console: their callbacks come to shops that never asked for one.'
        : 'refund.failed is about the refund. An order that is marked as failed by it is fulfilled again by a late copy of its payment.',
      play: async (stage) => {
        const { order, context } = stage
        const [paid, webhookId] = [told(stage, 'completed'), context.newWebhookId()]
        const { merchantReference, internalReference } = stage.newOrder()
        const refund = eventOf(`refund.${outcome}`, { ...order, merchantReference, internalReference })
        const about = {
          collection_merchant_reference: order.merchantReference,
          collection_internal_reference: order.internalReference,
        }
        return {
          replies: [
            await callBack(stage, paid, webhookId),
            await callBack(stage, { ...refund, payload: { ...refund.payload, ...about } }),
            await callBack(stage, paid, webhookId),
          ],
        }
      },
    }
  }),
  {
    group: 'handshake',
    weight: 'must',
    answer: 'no_crash',
    type: 'BATCH',
    needsKnownReference: true,
    id: 'handshake_batch',
    title: 'Handshakes of a batch: yours, one payout more, another, and a forged one',
    correct: 'answers 2xx to your own with its number of payouts, and 4xx to the three others',
    why: 'One yes releases every payout of a batch. A thief of your keys can send a batch, but not add it to your records.',
    play: async (stage) => {
      const { context, order } = stage
      const ask = async (event: Event, secret = context.keys.webhookSecret) => {
        const body = Buffer.from(JSON.stringify(event))
        const signature = webhookHeaders({ webhookId: context.newWebhookId(), at: context.now(), body }, secret)
        const headers = { 'content-type': 'application/json; charset=utf-8', ...signature }
        return stage.send({ method: 'POST', url: context.url, headers, body })
      }
      const own = batchEventOf('payout_batch.verification', order.merchantReference)
      const replies = [
        await ask(own),
        await ask({ ...own, payload: { ...own.payload, payouts: 3 } }),
        await ask(batchEventOf('payout_batch.verification', `${order.merchantReference}-X`)),
        await ask(own, context.otherKeys.webhookSecret),
      ]
      const names = ['its own', 'one payout more', 'an unknown one', 'a forged one']
      const wrong = replies.findIndex((reply, index) => !(index === 0 ? isYes : isNo)(reply))
      const [reply] = replies.slice(wrong)
      return { replies, ...(wrong >= 0 && reply && { fault: `to ${names[wrong]} it ${inWords(reply)}` }) }
    },
  },
]

const BY_CHECK = [...GOOD_ROWS, ...HOSTILE_ROWS, ...HANDSHAKE_ROWS, ...REDIRECT_ROWS]
const ALL = new Map([...BY_CHECK, ...OWN_LIVES, ...GATEWAY_LIVES].map((row) => [row.id, row]))

/** The thirty, in the order of the report: half of them are rows of `check`. */
const IDS = `
  good failed late_success duplicate duplicate_at_once slow_acknowledgement second_id
  out_of_order payout_out_of_order other_amount refund refund_failed
  extra_field unknown_event rotation other_merchant no_signature old altered_amount
  handshake_known handshake_unknown handshake_forged handshake_batch
  redirect_forged redirect_underpaid callback_lost
  callback_before_reply reply_lost ordered_twice outage`

/** What a merchant's integration lives through for its certificate. */
export const LIVES: readonly Row[] = IDS.trim()
  .split(/\s+/)
  .map((id) => {
    const life = ALL.get(id)
    if (!life) throw new Error(`there is no life ${id}`)
    return life
  })
