import { callbackExamples } from '../../generated/callback-examples.ts'
import type { LegacySigned } from '../legacy-signature.ts'
import { UsageError } from './usage.ts'

/** Events that `trigger` can send, and the example of the contract on which each is based. */
const EXAMPLES = {
  'collection.completed': callbackExamples.callback_collection_completed,
  'collection.failed': callbackExamples.callback_collection_failed,
  'collection.cancelled': callbackExamples.callback_collection_cancelled,
  'payout.completed': callbackExamples.callback_payout_completed,
  'payout.failed': callbackExamples.callback_payout_failed,
  'refund.completed': callbackExamples.callback_refund_completed,
  'refund.failed': callbackExamples.callback_refund_failed,
} as const
/** Events that `trigger` can send, by name. */
export type EventName = keyof typeof EXAMPLES

/** Whether there is an event of this name. */
export const isEventName = (text: string): text is EventName => Object.hasOwn(EXAMPLES, text)

/** In the order of the help. */
export const EVENT_NAMES: readonly EventName[] = Object.keys(EXAMPLES).filter(isEventName)

/** The names that these events have in their own bodies; there, collections and payouts share one. */
export const ALIASES: Readonly<Record<string, EventName>> = {
  'transaction.completed': 'collection.completed',
  'transaction.failed': 'collection.failed',
}

/** The possible values of an event's field. */
type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** The body of a callback: an example of the contract with the user's changes. */
export interface Event {
  [name: string]: Json
  event: string
  payload: { [name: string]: Json }
}

/** Values that replace those of the example. */
interface Changes {
  readonly merchantReference: string
  readonly internalReference: string
  /** In major units. The charge and the totals are derived from it, as in Malipo. */
  readonly amount?: number
  readonly currency?: string
}

/** An event of that name, as in the contract, with references of its own. */
export function eventOf(name: EventName, { merchantReference, internalReference, amount, currency }: Changes): Event {
  const { event, payload: example } = EXAMPLES[name]
  const payload: Event['payload'] = {
    ...example,
    merchant_reference: merchantReference,
    internal_reference: internalReference,
  }
  if (amount !== undefined) Object.assign(payload, amountsOf(example, amount))
  if (currency !== undefined) Object.assign(payload, { request_currency: currency, transaction_currency: currency })
  return { event, payload }
}

/** Messages about a batch of payouts, which are about no single transaction: its end, and its handshake. */
export const BATCH_EVENTS = ['payout_batch.completed', 'payout_batch.verification'] as const
export type BatchEventName = (typeof BATCH_EVENTS)[number]
export const isBatchEvent = (text: string): text is BatchEventName => BATCH_EVENTS.some((each) => each === text)

/** A message about a batch of two payouts. At its end one has failed. */
export function batchEventOf(event: BatchEventName, reference: string, amount = 45_000, currency = 'UGX'): Event {
  const total = { currency, payouts: 2, amount }
  const payload =
    event === 'payout_batch.verification'
      ? { payouts: 2, totals: [total] }
      : { batch_status: 'COMPLETED', totals: [{ ...total, completed: 1, failed: 1 }] }
  return { event, payload: { batch_reference: reference, ...payload } }
}

type Example = (typeof EXAMPLES)[EventName]['payload']

function amountsOf(example: Example, amount: number): Event['payload'] {
  const moved = example.transaction_status === 'COMPLETED'
  const amounts = { request_amount: amount, transaction_amount: amount }
  if (!('transaction_charge' in example)) return { ...amounts, total_debit: moved ? amount : 0 }
  const charge = Math.round((amount * example.transaction_charge) / example.transaction_amount)
  return {
    ...amounts,
    transaction_charge: charge,
    ...('total_credit' in example
      ? { total_credit: moved ? amount - charge : 0 }
      : { total_debit: moved ? amount + charge : 0 }),
  }
}

/**
 * Sets a field of the body: `payload.customer_name=Amina`. A value that parses as JSON is used as JSON, any other as
 * text.
 *
 * @throws UsageError when the text has no `=`, or the path does not lead to an object
 */
export function setField(event: Event, assignment: string): void {
  const at = assignment.indexOf('=')
  if (at < 1)
    throw new UsageError(
      `--set takes path=value, such as payload.customer_name=Amina; "${assignment}" does not have that form`,
    )
  const path = assignment.slice(0, at).split('.')
  const last = path.pop() ?? ''
  let target: { [name: string]: Json } = event
  for (const name of path) {
    const next = Object.hasOwn(target, name) ? target[name] : undefined
    if (typeof next !== 'object' || next === null || Array.isArray(next))
      throw new UsageError(`--set ${assignment}: the event has no object "${path.join('.')}"`)
    target = next
  }
  Object.defineProperty(target, last, {
    value: jsonOrText(assignment.slice(at + 1)),
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/** Text unchanged, anything else as JSON. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/**
 * The five fields that the legacy signatures cover; a field that `--set` changed to a value other than text counts as
 * its JSON text.
 */
export function legacyFieldsOf({ event, payload }: Event): LegacySigned {
  const text = (name: string): string => textOf(payload[name] ?? '')
  return {
    event,
    merchant_reference: text('merchant_reference'),
    internal_reference: text('internal_reference'),
    transaction_type: text('transaction_type'),
    transaction_status: text('transaction_status'),
  }
}
