import { randomUUID } from 'node:crypto'
import { bookByStaff } from '../../../verification/testing/book-by-staff.ts'
import { depositTransfer } from '../../../domain/ledger.ts'
import { collect } from '../../../verification/testing/requests.ts'
import { adminApiTest } from '../../api/testing/admin-api-test.ts'
import { givenOrders, importLines, installed } from '../../queries/statements/testing/installed.ts'

// For tests: a gateway whose statements differ from the ledger, with payments, money and drift to look at.

const HOUR_MS = 3_600_000
export const RAIL = 'mtn-recon'

export async function controlTest(...options: Parameters<typeof adminApiTest>) {
  const api = await adminApiTest(...options)
  const { gateway, clock, client, token, key } = api
  const { pool } = gateway
  await installed(pool, RAIL, { statement_window_hours: '0' })
  const now = clock.now().getTime()
  const order = {
    id: 1n,
    orderId: randomUUID(),
    type: 'COLLECTION',
    status: 'COMPLETED',
    amountMinor: 25_000n,
    at: new Date(now - 30 * HOUR_MS),
  } as const
  await collect(gateway.url, { merchant_reference: 'ORDER-1', msisdn: '256772000101' })
  await collect(gateway.url, { merchant_reference: 'ORDER-2', msisdn: '256772000002' })
  await gateway.runDue()
  clock.advance(HOUR_MS / 6)
  await gateway.runDue()
  await givenOrders(pool, RAIL, [order], clock.now())
  await bookByStaff(pool, depositTransfer(1n, 'UGX', 1_500_000n), clock.now())
  const lines = [72, 36, 30, 1].map((hours, at) => ({
    source: 0,
    account: '',
    lineNumber: BigInt(at + 2),
    reference: `36344046${at}`,
    bookedOn: new Date(now - hours * HOUR_MS).toISOString().slice(0, 10),
    at: new Date(now - hours * HOUR_MS),
    direction: 'in' as const,
    amountMinor: hours === 30 ? 24_000n : 5_000n,
    feeMinor: 0n,
    ...(hours === 30 && { ourReference: order.orderId }),
  }))
  await importLines(pool, RAIL, lines, clock.now(), { name: 'november-22.csv' })
  await pool.query(
    `insert into operator_drift (rail_account, source, field, shape, count, first_seen_at, last_seen_at)
     values ($1, 'GET /collection/v1_0/requesttopay', 'payer.partyId', 'is missing', 3, $2, $2)`,
    [RAIL, clock.now()],
  )
  await pool.query(
    `insert into rail_balances (rail_account, currency, asked_at, checked_at, operator_minor, opening_minor, ledger_minor,
       unexplained_minor) values ($1, 'UGX', $2, $2, 1000000, 0, 990000, 10000)`,
    [RAIL, clock.now()],
  )
  await client(await token('finance')).POST('/rail-accounts/{rail_account}/reconcile', {
    params: { path: { rail_account: RAIL }, header: key() },
    body: { reason: 'The statement of yesterday' },
  })
  clock.advance(1_000)
  return api
}
