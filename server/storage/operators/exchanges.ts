import type { OperatorExchange } from '../../actions/ports/operator-exchanges.ts'
import { OPERATOR_EXCHANGE } from '../operator-exchanges.ts'
import { available, type Pool } from '../pool.ts'
import type { Row } from '../rows.ts'

export interface ExchangeFilter {
  readonly orderId?: string
  readonly installation?: string
  /** Those at this time or later. */
  readonly since?: Date
  readonly limit: number
}

/** What was said with operators, the newest first; without an order the last 90 days are read from their end. */
export const listExchanges = (
  pool: Pool,
  { orderId, installation, since, limit }: ExchangeFilter,
): Promise<OperatorExchange[]> =>
  available(async () => {
    const { rows } = await pool.query<Row<OperatorExchange>>(
      `select ${OPERATOR_EXCHANGE.names()} from operator_exchanges
       where ${orderId === undefined ? '$1::text is null' : 'order_id = $1'}
         and ($2::text is null or installation = $2) and at >= coalesce($3, '-infinity'::timestamptz)
       order by at desc, id desc limit $4`,
      [orderId, installation, since, limit],
    )
    return rows.map(OPERATOR_EXCHANGE.toFields)
  })
