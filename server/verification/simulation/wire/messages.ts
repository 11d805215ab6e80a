import type { Deliver, Message } from '../../../../openapi/operators/simulator/callbacks.ts'
import type { RailCallback } from '../../../actions/ports/rail-callbacks.ts'
import { orderToken } from '../../../domain/callback-tokens.ts'
import type { Choices } from '../choices.ts'
import type { Receivers } from '../operator-side.ts'
import { isUnknown } from '../process.ts'
import type { Scheduler } from '../scheduler.ts'
import { MINUTE, SECOND } from '../spans.ts'
import { GATEWAY_HOST } from './gateway-host.ts'
import { CALLBACK_KEYS, RAIL_ACCOUNT } from './installed.ts'
import type { WiredKind } from './wired-kinds.ts'

/** Delivery at once, never, late, much later than the messages after it, twice. */
const WAYS = ['at once', 'lost', 'late', 'very late', 'twice'] as const
const LATE_MS = 31 * SECOND
const VERY_LATE_MS = 20 * MINUTE
const AGAIN_MS = 90 * SECOND
const TRIES_MAX = 40

interface MessagesOptions {
  readonly scheduler: Scheduler
  readonly choices: Choices
  readonly receivers: Receivers
  /** Called with each message that the gateway has accepted. */
  readonly onReported: (message: Message) => void
}

type MessageText = Pick<Message, 'url' | 'body'>

/** The path of an operator's messages to the gateway. No operator here resends a message that was not accepted. */
export class Messages {
  private readonly sure = new Set<string>()
  private readonly wired: Pick<WiredKind, 'idInMessage'>
  private readonly options: MessagesOptions

  constructor(wired: Pick<WiredKind, 'idInMessage'>, options: MessagesOptions) {
    this.wired = wired
    this.options = options
  }

  /** Messages like this one always arrive, whatever goes wrong. */
  beSure(text: MessageText): void {
    this.sure.add(this.placeOf(text))
  }

  /** Where it goes, and which order it is about if that does not say. */
  private readonly placeOf = ({ url, body }: MessageText): string =>
    this.wired.idInMessage ? `${url} ${this.wired.idInMessage(body)}` : url

  /** Nobody reads its reply. */
  readonly deliver: Deliver = async (message) => {
    const { scheduler, choices } = this.options
    const way = scheduler.hostile && !this.sure.has(this.placeOf(message)) ? choices.rarelyOf(0.4, WAYS) : 'at once'
    scheduler.note(`the operator notifies ${pathOf(message)} (${way})`)
    if (way === 'at once' || way === 'twice') this.after(0, message)
    if (way === 'twice') this.after(AGAIN_MS, message)
    if (way === 'late') this.after(LATE_MS, message)
    if (way === 'very late') this.after(VERY_LATE_MS, message)
    return { status: 200, text: '' }
  }

  private after(ms: number, message: Message): void {
    this.options.scheduler.after(ms, () => {
      this.arrive(message).catch(this.options.receivers.onFault)
    })
  }

  private async arrive(message: Message): Promise<void> {
    const { scheduler, choices, receivers, onReported } = this.options
    for (let tries = this.sure.has(this.placeOf(message)) ? TRIES_MAX : 1; tries > 0; tries -= 1) {
      try {
        await receivers.receive(choices.among(3), received(message))
        return onReported(message)
      } catch (error) {
        if (!isUnknown(error)) throw error
      }
      await scheduler.sleep(SECOND)
    }
  }
}

/**
 * As the gateway's own endpoint parses it.
 * @throws Error for an address that no adapter has issued
 */
function received({ method, url, body }: Message): RailCallback {
  const [, , railAccount = '', token = '', orderId = '', tail] = new URL(url).pathname.split('/')
  if (token !== tokenOf(railAccount, orderId)) throw new Error('the operator was given an address that is none')
  return { railAccount, orderId, method, ...(tail !== undefined && { tail }), body: JSON.stringify(body) }
}

/** There is one key, and it never changes. */
const tokenOf = (railAccount: string, orderId: string): string | undefined =>
  orderToken(CALLBACK_KEYS, { railAccount, orderId }, new Date(0))

/** An address of the rail account, as the gateway gives it out. */
export const addressOf = (orderId: string, tail: string): string =>
  `https://${GATEWAY_HOST}/operators/${RAIL_ACCOUNT}/${tokenOf(RAIL_ACCOUNT, orderId)}/${orderId}/${tail}`

const pathOf = ({ url }: Message): string => new URL(url).pathname.split('/').slice(4).join('/')
