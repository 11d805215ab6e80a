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

/** Delivery at once, never, late, much later than the messages after it, twice. */
const WAYS = ['at once', 'lost', 'late', 'very late', 'twice'] as const
const LATE_MS = 31 * SECOND
const VERY_LATE_MS = 20 * MINUTE
const AGAIN_MS = 90 * SECOND
const TRIES_MAX = 40

/** The path of an operator's messages to the gateway. No operator here resends a message that was not accepted. */
export class Messages {
  /** Messages to these addresses always arrive, whatever goes wrong. */
  readonly sure = new Set<string>()
  private readonly scheduler: Scheduler
  private readonly choices: Choices
  private readonly receivers: Receivers

  private readonly onMessage: (message: Message) => void

  /** @param onReported called with each message that the gateway has accepted */
  constructor(scheduler: Scheduler, choices: Choices, receivers: Receivers, onReported: (message: Message) => void) {
    this.scheduler = scheduler
    this.choices = choices
    this.receivers = receivers
    this.onMessage = onReported
  }

  /** Nobody reads its reply. */
  readonly deliver: Deliver = async (message) => {
    const way = this.scheduler.hostile && !this.sure.has(message.url) ? this.choices.rarelyOf(0.4, WAYS) : 'at once'
    this.scheduler.note(`the operator notifies ${placeOf(message)} (${way})`)
    if (way === 'at once' || way === 'twice') this.after(0, message)
    if (way === 'twice') this.after(AGAIN_MS, message)
    if (way === 'late') this.after(LATE_MS, message)
    if (way === 'very late') this.after(VERY_LATE_MS, message)
    return { status: 200, text: '' }
  }

  private after(ms: number, message: Message): void {
    this.scheduler.after(ms, () => {
      this.arrive(message).catch(this.receivers.onFault)
    })
  }

  private async arrive(message: Message): Promise<void> {
    for (let tries = this.sure.has(message.url) ? TRIES_MAX : 1; tries > 0; tries -= 1) {
      try {
        await this.receivers.receive(this.choices.among(3), received(message))
        return this.onMessage(message)
      } catch (error) {
        if (!isUnknown(error)) throw error
      }
      await this.scheduler.sleep(SECOND)
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

const placeOf = ({ url }: Message): string => new URL(url).pathname.split('/').slice(4).join('/')
