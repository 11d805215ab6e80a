import type { OperatorExchange } from '../../actions/ports/operator-exchanges.ts'
import { OPERATOR_EXCHANGE } from '../../storage/operator-exchanges.ts'
import { available, type Pool } from '../../storage/pool.ts'
import type { Row } from '../../storage/rows.ts'

interface ExchangeFilter {
  readonly orderId?: string
  readonly railAccount?: string
  /** Only exchanges at this time or later. */
  readonly since?: Date
  readonly limit: number
}

/** Exchanges with operators, the newest first; without an order it reads the last 90 days from the end. */
export const listExchanges = (
  pool: Pool,
  { orderId, railAccount, since, limit }: ExchangeFilter,
): Promise<OperatorExchange[]> =>
  available(async () => {
    const { rows } = await pool.query<Row<OperatorExchange>>(
      `select ${OPERATOR_EXCHANGE.names()} from operator_exchanges
       where ${orderId === undefined ? '$1::text is null' : 'order_id = $1'}
         and ($2::text is null or rail_account = $2) and at >= coalesce($3, '-infinity'::timestamptz)
       order by at desc, id desc limit $4`,
      [orderId, railAccount, since, limit],
    )
    return rows.map(OPERATOR_EXCHANGE.toFields)
  })

/** An exchange in the form of the admin API and of `malipo rail log --json`. */
export const exchangeRecord = ({
  railAccount: rail_account,
  orderId: order_id,
  durationMs: duration_ms,
  ...exchange
}: OperatorExchange) => ({ ...exchange, rail_account, order_id, duration_ms })
