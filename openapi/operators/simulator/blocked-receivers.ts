import type { Clock } from './world/clock.ts'

/** How an operator treats receivers of callbacks that are slow or fail. */
export interface ReceiverRule {
  /** A slower answer is none, in real time. */
  readonly answerMs: number
  /** So often it tries again, that far apart. */
  readonly retries: { readonly times: number; readonly everyMs: number }
  /** Then everything for the receiver waits, and one callback is tried that far apart, so often … */
  readonly shortBlock: { readonly times: number; readonly everyMs: number }
  /** … and then that far apart, until a try is answered. */
  readonly longBlock: { readonly everyMs: number }
}

/** @returns whether the receiver has taken it */
export type Attempt<Message> = (message: Message, note: string | undefined) => Promise<boolean>

interface Receiver<Message> {
  readonly waiting: Message[]
  /** How often one was tried while the receiver is blocked; undefined: it is not. */
  blockedTries: number | undefined
}

/**
 * Tries callbacks again and blocks whoever does not take them, by the clock of the simulator.
 * @param track keeps what is under way, for whoever waits for it
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
    // Others of the same receiver may have blocked it meanwhile.
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
