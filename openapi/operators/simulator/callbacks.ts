import { createBlocking, type Attempt } from './blocked-receivers.ts'
import type { OwnFaults } from './contract/faults.ts'
import { patched, readJson } from './json.ts'
import { masker } from './mask.ts'
import type { CallbackText, Operator } from './operator.ts'
import type { OrderEffect } from './scenarios/effects.ts'
import type { Order } from './world/order.ts'
import type { OperatorState } from './world/world.ts'

/** What the operator sends by itself. */
export interface Callbacks {
  /** Sends what is to be told about an order now that its verdict is there, as its scenarios have it. */
  tell(order: Order): void
  /** Sends what nobody has said, now or later, whatever becomes of the order. */
  forge(order: Order): void
  /** Sends what is about no order's verdict, now. */
  send(text: CallbackText): void
  /** When everything that was due is answered, or given up. */
  idle(): Promise<void>
  /** How many have gone out so far. */
  sent(): number
}

/** One message as it goes out. */
export interface Message {
  readonly method: Method
  readonly url: string
  readonly body: object
}

/** @returns what the receiver answered. @throws when there was no answer */
export type Deliver = (message: Message) => Promise<{ readonly status: number; readonly text: string }>

/** A receiver that does not answer is not waited for: without a rule the operator sends once and forgets. */
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

/** Over the network. @param answerMaxMs a slower answer is none */
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
 * @param faults what every message is held against
 * @param deliver over the network unless given
 */
export function createCallbacks(
  operator: Pick<Operator, 'secrets' | 'callbacksOf' | 'receivers'>,
  world: OperatorState,
  faults: OwnFaults,
  deliver: Deliver = deliverByFetch(operator.receivers?.answerMs ?? ANSWER_MAX_MS),
): Callbacks {
  const attempt = senderOf(operator.secrets, world, faults, deliver)
  const { start, sent, idle } = createSendings(world, (track) =>
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
    tell(order) {
      const effects = order.effects.filter((effect) => effect.do === 'callback')
      if (effects.length === 0) reportAll(order, undefined)
      for (const effect of effects) {
        for (let turn = 0; turn < (effect.times ?? 1); turn++) {
          const afterMs = (effect.after_ms ?? 0) + turn * (effect.every_ms ?? 0)
          // At once means now: a callback before the reply must be under way when the reply is written.
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
    sent,
    idle,
  }
}

/** The message, as a scenario has it where one changes it. */
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

/** What sends one message, answered or not, and notes the exchange. */
function senderOf(
  secrets: readonly string[],
  world: OperatorState,
  faults: OwnFaults,
  deliver: Deliver,
): Attempt<SentMessage> {
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
    return answer.status !== undefined && answer.status >= 200 && answer.status < 300
  }
}

/** Everything that is on its way, and how much has been. */
interface Sendings extends Pick<Callbacks, 'sent' | 'idle'> {
  /** @returns when it is answered, or given up */
  readonly start: (message: SentMessage, note?: string) => Promise<void>
}

function createSendings(
  { journal }: Pick<OperatorState, 'journal'>,
  senderWith: (track: (sending: Promise<void>) => void) => Send,
): Sendings {
  const underWay = new Set<Promise<void>>()
  let started = 0
  const track = (sending: Promise<void>): void => {
    const tracked: Promise<void> = sending.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }
  const send = senderWith(track)
  return {
    // What is told is kept first: an operator that told a result does not forget it.
    start(message, note) {
      // What could not be kept is not told: whoever reads the journal next does.
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
