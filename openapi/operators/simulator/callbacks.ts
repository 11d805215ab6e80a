import { createBlocking, type Attempt } from './blocked-receivers.ts'
import type { OwnFaults } from './contract/faults.ts'
import { patched, readJson } from './json.ts'
import { masker } from './mask.ts'
import type { CallbackText, MessagesToMerchant, Operator } from './operator.ts'
import type { OrderEffect } from './scenarios/effects.ts'
import type { Order } from './world/order.ts'
import type { OperatorState } from './world/world.ts'

/** The requests that the operator makes. */
export interface Callbacks extends MessagesToMerchant {
  /** Reports the verdict of an order, now that there is one, the way its scenarios want it. */
  report(order: Order): void
  /** Sends forged messages, now or later, whatever becomes of the order. */
  forge(order: Order): void
  /** Resolves when all due messages are answered or given up. */
  idle(): Promise<void>
  /** How many have been sent so far. */
  sent(): number
}

/** One outgoing message. */
export interface Message {
  readonly method: Method
  readonly url: string
  readonly body: object
}

/** @returns the receiver's reply. @throws when there was none */
export type Deliver = (message: Message) => Promise<{ readonly status: number; readonly text: string }>

/** Does not retry a receiver that does not reply: without a retry rule the operator sends once and forgets. */
const ANSWER_MAX_MS = 10_000
const ANSWER_MAX_CHARACTERS = 2_000

interface SentMessage extends Message {
  readonly operation: string
}

type Method = keyof CallbackText['operations']

const methodOf = ({ operations }: CallbackText): Method =>
  operations.POST === undefined || Object.keys(operations)[0] === 'PUT' ? 'PUT' : 'POST'

type CallbackEffect = Extract<OrderEffect, { do: 'callback' }>
type CallbackChange = Pick<CallbackEffect, 'method' | 'set'>

const HEADERS = { 'content-type': 'application/json' }

/** Over the network. @param answerMaxMs a slower reply counts as none */
const deliverByFetch =
  (answerMaxMs: number): Deliver =>
  async ({ url, body, ...message }) => {
    const response = await fetch(url, {
      method: message.method,
      headers: HEADERS,
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMaxMs),
    })
    return { status: response.status, text: await response.text() }
  }

/**
 * @param operator whose callbacks they are; its secrets are masked in the exchanges
 * @param faults the checks of every message against the contract
 * @param deliver over the network unless given
 */
export function createCallbacks(
  operator: Pick<Operator, 'secrets' | 'callbacksOf' | 'receivers'>,
  world: OperatorState,
  faults: OwnFaults,
  deliver: Deliver = deliverByFetch(operator.receivers?.answerMs ?? ANSWER_MAX_MS),
): Callbacks {
  const send = senderOf(operator.secrets, world, faults, deliver)
  const attempt: Attempt<SentMessage> = async (message, note) => isTaken(await send(message, note))
  const { start, sent, idle } = createDeliveries(world, (track) =>
    operator.receivers ? createBlocking(attempt, operator.receivers, world.clock, track) : once(attempt),
  )

  const startAll = (order: Order, effect: CallbackChange | undefined, note?: string): readonly Promise<void>[] =>
    operator
      .callbacksOf(order)
      .map((text) => start(changed(text, effect), effect?.set ? (note ?? 'scenario: callback') : note))

  const reportAll = (order: Order, effect: CallbackEffect | undefined): void => {
    const { kind, id } = order
    const sendings = startAll(order, effect)
    if (sendings.length > 0) void Promise.all(sendings).then(() => world.journal.append({ entry: 'told', kind, id }))
  }

  return {
    report(order) {
      const effects = order.effects.filter((effect) => effect.do === 'callback')
      if (effects.length === 0) reportAll(order, undefined)
      for (const effect of effects) {
        for (let turn = 0; turn < (effect.times ?? 1); turn++) {
          const afterMs = (effect.after_ms ?? 0) + turn * (effect.every_ms ?? 0)
          // No delay means now: a callback before the reply must be in flight when the reply is written.
          if (afterMs === 0) reportAll(order, effect)
          else world.clock.after(afterMs, () => reportAll(order, effect))
        }
      }
    },
    forge(order) {
      for (const effect of order.effects.filter((each) => each.do === 'forge'))
        world.clock.after(effect.after_ms ?? 0, () => void startAll(order, effect, 'scenario: forge'))
    },
    send: (text) => void start(changed(text, undefined)),
    async ask(text) {
      const answer = await send(changed(text, undefined), undefined)
      return isTaken(answer) ? readJson(answer.text) : undefined
    },
    sent,
    idle,
  }
}

/** The message, changed where a scenario changes it. */
function changed(text: CallbackText, effect: CallbackChange | undefined): SentMessage {
  const method = effect?.method ?? methodOf(text)
  const body = effect?.set ? (patched(text.body, effect.set) as object) : text.body
  return { operation: text.operations[method] ?? `(${method})`, method, url: text.url, body }
}

type Send = (message: SentMessage, note: string | undefined) => Promise<void>

const once =
  (attempt: Attempt<SentMessage>): Send =>
  async (message, note) =>
    void (await attempt(message, note))

/** Sends one message, answered or not, and records the exchange. */
function senderOf(
  secrets: readonly string[],
  world: OperatorState,
  faults: OwnFaults,
  deliver: Deliver,
): (message: SentMessage, note: string | undefined) => Promise<ReceiverReply> {
  const masked = masker(secrets)
  return async ({ operation, method, url, body }, note) => {
    const at = world.clock.now()
    const answer = await deliver({ method, url, body }).then(
      (answered) => ({ ...answered, note }),
      (error: unknown) => ({
        status: undefined,
        text: '',
        note: `${note ? `${note}; ` : ''}not delivered: ${reasonOf(error)}`,
      }),
    )
    world.exchanges.add({
      at,
      direction: 'out',
      operation,
      method,
      url,
      requestHeaders: HEADERS,
      requestBody: masked.body(body),
      status: answer.status,
      responseBody: masked.body(readJson(answer.text.slice(0, ANSWER_MAX_CHARACTERS))),
      note: answer.note,
      faults: note === undefined ? faults.ofCallback(operation, body) : [],
    })
    return answer
  }
}

interface ReceiverReply {
  readonly status: number | undefined
  readonly text: string
}

const isTaken = ({ status }: ReceiverReply): boolean => status !== undefined && status >= 200 && status < 300

/** The messages in flight, and the number of messages sent. */
interface Deliveries extends Pick<Callbacks, 'sent' | 'idle'> {
  /** @returns when it is answered or given up */
  readonly start: (message: SentMessage, note?: string) => Promise<void>
}

function createDeliveries(
  { journal }: Pick<OperatorState, 'journal'>,
  senderWith: (track: (sending: Promise<void>) => void) => Send,
): Deliveries {
  const underWay = new Set<Promise<void>>()
  let started = 0
  const track = (sending: Promise<void>): void => {
    const tracked: Promise<void> = sending.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }
  const send = senderWith(track)
  return {
    // Write ahead: the journal keeps a result before it is reported, so an operator never forgets a reported result.
    start(message, note) {
      // A result that could not be stored is not reported: the next process that reads the journal does it.
      const sending = journal.kept().then(
        () => send(message, note),
        () => undefined,
      )
      track(sending)
      started += 1
      return sending
    },
    sent: () => started,
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
