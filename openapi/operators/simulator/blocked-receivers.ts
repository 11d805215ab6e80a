import type { Clock } from './world/clock.ts'

/** How an operator treats receivers of callbacks that are slow or fail. */
export interface ReceiverRule {
  /** A slower reply counts as none, in real time. */
  readonly answerMs: number
  /** The number of retries, and the delay between them. */
  readonly retries: { readonly times: number; readonly everyMs: number }
  /** Then all callbacks for the receiver wait, and one is sent as a probe with this delay, this many times … */
  readonly shortBlock: { readonly times: number; readonly everyMs: number }
  /** … and then with this delay, until a probe is answered. */
  readonly longBlock: { readonly everyMs: number }
}

/** @returns whether the receiver has acknowledged it */
export type Attempt<Message> = (message: Message, note: string | undefined) => Promise<boolean>

interface Receiver<Message> {
  readonly waiting: Message[]
  /** The number of probes while the receiver is blocked; undefined: it is not blocked. */
  blockedTries: number | undefined
}

/**
 * Retries callbacks and blocks receivers that do not acknowledge them, by the clock of the simulator.
 * @param track registers a pending delivery, for whoever waits for it
 */
export function createBlocking<Message extends { readonly url: string }>(
  attempt: Attempt<Message>,
  rule: ReceiverRule,
  clock: Pick<Clock, 'after'>,
  track: (underWay: Promise<void>) => void,
): (message: Message, note: string | undefined) => Promise<void> {
  const receivers = new Map<string, Receiver<Message>>()

  function receiverOf({ url }: Message): Receiver<Message> {
    const origin = URL.parse(url)?.origin ?? url
    const receiver = receivers.get(origin) ?? { waiting: [], blockedTries: undefined }
    receivers.set(origin, receiver)
    return receiver
  }

  async function send(message: Message, note: string | undefined, retry = 0): Promise<void> {
    const receiver = receiverOf(message)
    if (receiver.blockedTries !== undefined) return void receiver.waiting.push(message)
    if (await attempt(message, retry === 0 ? note : `retry ${retry}`)) return
    const { times, everyMs } = rule.retries
    if (retry < times) return clock.after(everyMs, () => track(send(message, note, retry + 1)))
    receiver.waiting.push(message)
    // Another callback may have blocked the receiver meanwhile.
    if (receiver.blockedTries !== undefined) return
    receiver.blockedTries = 0
    probeLater(receiver)
  }

  function probeLater(receiver: Receiver<Message>): void {
    const { everyMs } = isShort(receiver) ? rule.shortBlock : rule.longBlock
    clock.after(everyMs, () => track(probe(receiver)))
  }

  const isShort = ({ blockedTries = 0 }: Receiver<Message>): boolean => blockedTries < rule.shortBlock.times

  async function probe(receiver: Receiver<Message>): Promise<void> {
    const [first] = receiver.waiting
    if (first === undefined) return
    const note = `${isShort(receiver) ? 'short' : 'long'} block, try ${(receiver.blockedTries ?? 0) + 1}`
    if (!(await attempt(first, note))) {
      receiver.blockedTries = (receiver.blockedTries ?? 0) + 1
      return probeLater(receiver)
    }
    receiver.blockedTries = undefined
    const others = receiver.waiting.splice(0).slice(1)
    await Promise.all(others.map((message) => send(message, 'after a block')))
  }

  return send
}
