import type { Order } from '../../../../openapi/operators/simulator/world/order.ts'
import { ACCOUNT_ADDRESS } from '../../../domain/callback-tokens.ts'
import { moneyFromWire } from '../../../domain/money.ts'
import type { Choices } from '../choices.ts'
import { TYPED, type Market } from '../market.ts'
import type { UnrequestedSide } from '../operator-side.ts'
import type { Scheduler } from '../scheduler.ts'
import { MINUTE, SECOND } from '../spans.ts'
import type { Engine } from './engine.ts'
import { addressOf } from './messages.ts'
import type { WiredKind } from './wired-kinds.ts'

interface WiredUnrequestedOptions {
  readonly scheduler: Scheduler
  readonly choices: Choices
  readonly market: Market
  readonly engine: Engine
  readonly of: NonNullable<WiredKind['unrequested']>
}

/** Customers pay an operator without being asked, under a reference of theirs or of somebody else's order. */
export class WiredUnrequested implements UnrequestedSide {
  readonly acknowledged = new Set<string>()
  private readonly options: WiredUnrequestedOptions

  constructor(options: WiredUnrequestedOptions) {
    this.options = options
  }

  get paid(): UnrequestedSide['paid'] {
    const { market } = this.options
    return new Map(
      this.orders().flatMap(({ receipts, amount }) =>
        receipts.map((receipt) => [receipt, { amount: moneyFromWire(amount, market.currency) }]),
      ),
    )
  }

  /** Some are told with ten times their amount as well, or were never paid. */
  async pay(): Promise<void> {
    const { scheduler, choices, market, engine, of } = this.options
    const details = of.details((tail) => addressOf(ACCOUNT_ADDRESS, tail))
    for (let n = 1 + choices.among(3); n > 0; n -= 1) {
      await scheduler.sleep(choices.of(SECOND, 0, 20 * SECOND, 11 * MINUTE))
      const [other] = engine.world.orders
        .all()
        .filter(({ direction, isUnrequested }) => direction === 'in' && !isUnrequested)
      const reference = choices.rarely(0.3) === 1 ? other?.externalId : undefined
      const order = engine.pay(
        {
          account: of.account,
          msisdn: `${market.callingCode}${market.prefix}2000009`,
          amount: String(choices.of(700, 1, 5_000)),
          reference: reference ?? choices.of<string>(`UNASKED-${n}`, ...TYPED),
        },
        details,
      )
      const made = choices.rarely(0.4, 3)
      if (made > 0) scheduler.after(choices.of(SECOND, 0, 5 * MINUTE), () => this.forge(order, made === 1))
    }
  }

  /** Whether a message that the gateway has accepted is about such a payment. */
  takes(url: string, body: object): boolean {
    const { callbacksOf } = this.options.engine.operator
    const told = this.orders().filter((order) => callbacksOf(order).some((text) => text.url === url))
    for (const { receipts } of told)
      for (const receipt of receipts) if (JSON.stringify(body).includes(receipt)) this.acknowledged.add(receipt)
    return told.length > 0
  }

  private forge(order: Order, isWrongAmount: boolean): void {
    const { operator, callbacks } = this.options.engine
    const forged = isWrongAmount ? { amount: `${order.amount}0` } : { receipts: ['SIMFORGED2'] }
    for (const text of operator.callbacksOf({ ...order, settledAt: order.acceptedAt, ...forged })) callbacks.send(text)
  }

  private readonly orders = (): readonly Order[] =>
    this.options.engine.world.orders.all().filter(({ isUnrequested }) => isUnrequested)
}
