import { didYouMean } from './did-you-mean.ts'
import {
  ALIASES,
  BATCH_EVENTS,
  batchEventOf,
  EVENT_NAMES,
  eventOf,
  isBatchEvent,
  isEventName,
  setField,
  type BatchEventName,
  type Event,
  type EventName,
} from './events.ts'
import { exchange, type OutgoingRequest } from './exchange.ts'
import { impossibilitiesOf } from './impossible.ts'
import { storeMessage } from './stored-messages.ts'
import { callbackMessage, handshakeMessage } from './messages.ts'
import { newInternalReference, newMerchantReference, newWebhookId } from './references.ts'
import { showReply, showRequest, isAcknowledged } from './show.ts'
import { DEMO_KEYS } from './sign.ts'
import type { Terminal } from './terminal.ts'
import { readArguments, readNumber, readUrl, UsageError, type Command, type OptionTable } from './usage.ts'

const OPTIONS = {
  to: {
    type: 'string',
    value: 'URL',
    help: 'the destination: your callback URL, or your verification URL for a handshake',
  },
  amount: { type: 'string', value: 'NUMBER', help: 'amount in major units; charge and totals follow' },
  currency: { type: 'string', value: 'CODE', help: 'currency of the amount' },
  reference: { type: 'string', value: 'TEXT', help: 'your merchant_reference; one of its own if absent' },
  set: {
    type: 'string',
    multiple: true,
    value: 'PATH=VALUE',
    help: 'sets any field of the body, such as payload.customer_name=Amina; may be given again',
  },
  secret: { type: 'string', value: 'whsec_…', default: DEMO_KEYS.webhookSecret, help: 'webhook secret to sign with' },
  'signing-key': {
    type: 'string',
    value: 'KEY',
    default: DEMO_KEYS.signingKey,
    help: 'signing key for hmac-signature',
  },
} as const satisfies OptionTable

const NAMES = [...EVENT_NAMES, ...BATCH_EVENTS].join(', ')

/** `malipo-dev trigger`. */
export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'sends one valid, signed callback or handshake; no gateway needed',
  takes: '<event> --to URL',
  example:
    'malipo-dev trigger collection.completed --to http://localhost:3000/callbacks --reference ORDER-2026-0001 --amount 5000',
  options: OPTIONS,
  notes: [
    `Events: ${NAMES}, and handshake; transaction.completed and transaction.failed, as bodies name them, are sent for a collection.`,
    "rsa-signature is made with a key of this run: only Malipo has Malipo's. It exits with 1 unless Malipo would count the reply as an acknowledgement.",
  ],
  async run(args, terminal) {
    const {
      values,
      positionals: [name = ''],
    } = readArguments(args, OPTIONS, { min: 1, max: 1, name: 'The event' })
    if (values.to === undefined) throw new UsageError('--to is missing: the destination URL')
    const to = readUrl(values.to, '--to', terminal)
    const webhookId = newWebhookId(terminal)
    const outgoing =
      name === 'handshake'
        ? handshake(values, to, webhookId, terminal)
        : callback(
            values,
            to,
            webhookId,
            terminal,
            isBatchEvent(name) ? batchFrom(name, values, terminal) : eventFrom(eventName(name), values, terminal),
          )
    storeMessage(terminal, webhookId, outgoing)
    return deliver(outgoing, terminal)
  },
}

interface Values {
  readonly amount?: string
  readonly currency?: string
  readonly reference?: string
  readonly set?: readonly string[]
  readonly secret: string
  readonly 'signing-key': string
}

function eventName(name: string): EventName {
  const named = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name
  if (named !== undefined && isEventName(named)) return named
  throw new UsageError(
    `there is no event "${name}"; choose from ${NAMES} and handshake.${didYouMean(name, [...EVENT_NAMES, ...Object.keys(ALIASES), ...BATCH_EVENTS, 'handshake'])}`,
  )
}

function handshake(values: Values, url: URL, webhookId: string, terminal: Terminal): OutgoingRequest {
  const { reference, secret } = values
  for (const name of ['amount', 'currency', 'set'] as const)
    if (values[name] !== undefined) throw new UsageError(`a handshake asks for a reference only: it has no --${name}`)
  return handshakeMessage({
    url,
    merchantReference: reference ?? newMerchantReference(terminal, 'PAYOUT'),
    webhookId,
    at: terminal.now(),
    webhookSecret: secret,
  })
}

function callback(values: Values, url: URL, webhookId: string, terminal: Terminal, event: Event): OutgoingRequest {
  return callbackMessage({
    url,
    event,
    webhookId,
    at: terminal.now(),
    keys: { webhookSecret: values.secret, signingKey: values['signing-key'] },
  })
}

const amountIn = (amount: string): number => readNumber(amount, '--amount', { min: 0, max: 1e12 })

function batchFrom(name: BatchEventName, { amount, currency, reference, set = [] }: Values, terminal: Terminal): Event {
  const own = reference ?? newMerchantReference(terminal, 'PAYOUT')
  const event = batchEventOf(name, own, amount === undefined ? undefined : amountIn(amount), currency)
  for (const assignment of set) setField(event, assignment)
  return event
}

function eventFrom(name: EventName, { amount, currency, reference, set = [] }: Values, terminal: Terminal): Event {
  const event = eventOf(name, {
    merchantReference: reference ?? newMerchantReference(terminal, name.startsWith('payout') ? 'PAYOUT' : 'ORDER'),
    internalReference: newInternalReference(terminal),
    ...(amount !== undefined && { amount: amountIn(amount) }),
    ...(currency !== undefined && { currency }),
  })
  for (const assignment of set) setField(event, assignment)
  for (const fault of impossibilitiesOf(event))
    terminal.complain(terminal.paint.warn(`Malipo never sends this: ${fault}. Sending it all the same.`))
  return event
}

/**
 * Sends it and shows request and reply.
 * @returns the exit code: 1 unless Malipo would count the reply as a yes
 */
export async function deliver(outgoing: OutgoingRequest, terminal: Terminal): Promise<number> {
  showRequest(outgoing, terminal)
  const reply = await exchange(outgoing)
  showReply(reply, terminal)
  return isAcknowledged(reply) ? 0 : 1
}
