import { pino } from 'pino'
import { expect, test } from 'vitest'
import { settling } from '../../admin/cli/settling.ts'
import { examine } from '../../admin/queries/doctor.ts'
import { createFigures } from '../../admin/queries/figures.ts'
import { listStuck } from '../../admin/queries/transactions.ts'
import type { Pool } from '../../storage/pool.ts'
import { bookByStaff, resolveByStaff } from '../testing/book-by-staff.ts'
import { DEMO_KEYS, MASTER_KEY } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { transfersOf } from '../testing/operators-book.ts'
import { byForm } from '../testing/sandbox-rails.ts'
import { postJson, send, uniqueMsisdn, uniqueReference, verify, type WalletBody } from '../testing/requests.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { resolveTransaction } from '../../actions/resolve-transaction.ts'
import { settleResults } from '../../actions/settle-results.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// A payout that failed and turns out to be paid, when its wallet is nearly empty: the money is gone, so the payout must
// be
// booked, or listed by name until it can be.

const logged: LogLine[] = []
interface LogLine {
  readonly msg: string
  readonly internalReference?: string
}
const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line) as LogLine) })
const { gateway, clock, receiver } = await gatewayTest({
  toReceiver: ['payout_callback_url', 'verification_url'],
  surroundings: { logger },
  env: { MALIPO_RATE_LIMIT: '100000' },
})

/** Including the charge of half a percent: 20,100 in all. */
const AMOUNT = 20_000
const TOTAL_DEBIT = 20_100

async function sendPayout(ending: string): Promise<{ reference: string; internalReference: string }> {
  const reference = uniqueReference()
  const { status, body } = await postJson(
    gateway.url,
    '/payout/send-funds',
    {
      transaction_method: 'MOBILE_MONEY',
      merchant_reference: reference,
      currency: 'UGX',
      amount: AMOUNT,
      provider_code: 'mtn_ug',
      account_number: uniqueMsisdn(ending),
      customer_name: 'Amina Nakato',
      description: 'Refund of an order',
    },
    DEMO_KEYS,
  )
  expect(status).toBe(202)
  return { reference, internalReference: body.data['internal_reference'] as string }
}

async function balance(): Promise<number> {
  const { body } = await send(gateway.url, 'GET', '/data/wallet-balances?currency=UGX', {
    headers: { 'secret-key': DEMO_KEYS['secret-key'] },
  })
  return (body.data['merchant_wallets'] as WalletBody[]).find(({ wallet_type }) => wallet_type === 'MERCHANT_PAYOUT')!
    .available_balance
}
/** Staff move money between the merchant's wallets until exactly this amount can be paid out. */
async function leave(amount: number): Promise<void> {
  const { walletTransfer } = await import('../../domain/wallet-transfer.ts')
  const { rows } = await gateway.pool.query<{ id: bigint }>(
    `select id from merchants where public_key = 'pub_sandbox_demo'`,
  )
  const surplus = (await balance()) - amount
  if (surplus === 0) return
  const way =
    surplus > 0 ? ({ from: 'payout', to: 'collection' } as const) : ({ from: 'collection', to: 'payout' } as const)
  const transfer = walletTransfer(rows[0]!.id, 'UGX', BigInt(Math.abs(surplus)), way)
  await bookByStaff(gateway.pool, transfer, clock.now())
}
const record = async (reference: string) => (await verify(gateway.url, reference)).body.data
const eventsOf = async (internalReference: string): Promise<string[]> =>
  (
    await gateway.pool.query<{ kind: string; detail: string }>(
      'select e.kind, e.detail from transaction_events e join transactions t on t.id = e.transaction_id where t.internal_reference = $1 order by e.id',
      [internalReference],
    )
  ).rows.map(({ kind, detail }) => `${kind}: ${detail}`)
const transferred = (internalReference: string) => transfersOf(gateway.pool, internalReference)

/** Everywhere that staff are notified of it. */
const reported = async () => ({
  stuck: (await listStuck(gateway.pool, { before: new Date(0), merchantId: undefined, limit: 10 })).map(
    ({ merchantReference }) => merchantReference,
  ),
  doctor: (await examine(gateway.pool, clock.now())).filter(({ found }) => found > 0).map(({ name }) => name),
  metric: (await createFigures(gateway.pool).waitingForOperator()).paidNotBooked,
  log: logged.flatMap((line) => (line.msg.includes('cannot be booked') ? [line.internalReference] : [])),
})

const deps = async (pool: Pool = gateway.pool) => ({
  ...(await settling({
    config: { masterKey: MASTER_KEY, mode: 'sandbox' } as never,
    pool,
    clock: clock as never,
  })),
  clock,
})
const resolve = (internalReference: string, outcome: RailOutcome) =>
  resolveByStaff(
    gateway.pool,
    internalReference,
    async (pool) => resolveTransaction(await deps(pool), internalReference, outcome),
    clock.now(),
  )

// Even though the hold had emptied the wallet.
test('FAILED and late COMPLETED of one payout in a batch end as in sequence', async () => {
  await leave(TOTAL_DEBIT)
  const { reference, internalReference } = await sendPayout('007')
  await gateway.runDue()
  expect(await balance()).toBe(0)
  clock.advance(10_000) // both reports fell due while no worker was running
  await gateway.runDue()
  expect(await transferred(internalReference)).toBe(1)
  expect(await record(reference)).toMatchObject({ transaction_status: 'COMPLETED', total_debit: TOTAL_DEBIT })
  expect(await balance()).toBe(0)
  const reported = receiver.received
    .filter(({ json }) => json?.payload?.merchant_reference === reference)
    .map(({ json }) => json.payload.transaction_status)
  // Over the wire both messages lead to one status query, and its reply is the later result.
  expect(reported.map(String).toSorted()).toEqual(byForm(['COMPLETED', 'FAILED'], ['COMPLETED']))
  await expectBalancedBooks(gateway)
})

test("in one batch one payout's failure covers another's late completion", async () => {
  await leave(TOTAL_DEBIT)
  const late = await sendPayout('006')
  await gateway.runDue()
  await settleResults(await deps(), [
    { internalReference: late.internalReference, outcome: { status: 'FAILED', reason: 'no answer' } },
  ])
  const failing = await sendPayout('006')
  await gateway.runDue()
  expect(await balance()).toBe(0)
  await settleResults(await deps(), [
    { internalReference: failing.internalReference, outcome: { status: 'FAILED', reason: 'declined' } },
    { internalReference: late.internalReference, outcome: { status: 'COMPLETED' } },
  ])
  expect([
    (await record(late.reference))['transaction_status'],
    (await record(failing.reference))['transaction_status'],
  ]).toEqual(['COMPLETED', 'FAILED'])
  expect(await balance()).toBe(0)
  await expectBalancedBooks(gateway)
})

async function paidAndNotCovered(): Promise<{ reference: string; internalReference: string }> {
  await leave(TOTAL_DEBIT)
  const payout = await sendPayout('007')
  await gateway.runDue()
  clock.advance(1_500)
  await gateway.runDue() // FAILED, and the hold is back in the wallet
  await leave(0)
  clock.advance(10_000)
  await gateway.runDue() // the rail paid after all
  return payout
}

// No event calls it settled, and it is booked once the wallet covers it.
test('a late COMPLETED that the wallet cannot cover waits in a state of its own', async () => {
  const { reference, internalReference } = await paidAndNotCovered()
  expect(await transferred(internalReference)).toBe(1)
  expect(await record(reference)).toMatchObject({ transaction_status: 'FAILED', total_debit: 0 })
  const events = await eventsOf(internalReference)
  expect(events).toContainEqual('paid_not_booked: Late COMPLETED: the wallet no longer covers it, staff must settle it')
  expect(events).not.toContainEqual(expect.stringMatching(/^settled: COMPLETED/))
  expect(
    (
      await gateway.pool.query('select rail_paid_at from transactions where internal_reference = $1', [
        internalReference,
      ])
    ).rows,
  ).toEqual([{ rail_paid_at: clock.now() }])

  expect(await reported()).toEqual({
    stuck: [reference],
    doctor: ['paid_payouts_booked'],
    metric: 1,
    log: [internalReference],
  })

  expect(await resolve(internalReference, { status: 'COMPLETED' })).toEqual({ result: 'uncovered' })
  await settleResults(await deps(), [{ internalReference, outcome: { status: 'COMPLETED' } }])
  expect(await eventsOf(internalReference)).toContainEqual(
    'rail_result_ignored: The rail repeated its late COMPLETED: staff must settle it',
  )

  await leave(TOTAL_DEBIT)
  expect(await resolve(internalReference, { status: 'COMPLETED' })).toEqual({ result: 'resolved' })
  expect(await record(reference)).toMatchObject({ transaction_status: 'COMPLETED', total_debit: TOTAL_DEBIT })
  expect(await balance()).toBe(0)
  expect(await reported()).toEqual({ stuck: [], doctor: [], metric: 0, log: [internalReference] })
  expect(await resolve(internalReference, { status: 'COMPLETED' })).toEqual({ result: 'state', status: 'COMPLETED' })
  await gateway.runDue()
  expect(
    receiver.received.filter(
      ({ json }) => json?.payload?.merchant_reference === reference && json.payload.transaction_status === 'COMPLETED',
    ),
  ).toHaveLength(1)
  await expectBalancedBooks(gateway)
})

test('a payment that the rail reversed waits no more; its merchant is notified once', async () => {
  const { reference, internalReference } = await paidAndNotCovered()
  expect(await resolve(internalReference, { status: 'FAILED', reason: 'reversed by the operator' })).toEqual({
    result: 'never_paid',
  })
  expect(
    (
      await gateway.pool.query('select rail_paid_at from transactions where internal_reference = $1', [
        internalReference,
      ])
    ).rows,
  ).toEqual([{ rail_paid_at: null }])
  expect(await record(reference)).toMatchObject({ transaction_status: 'FAILED', total_debit: 0 })
})

// No wallet has paid for it.
test('a payout paid after 72 hours stays FAILED and waits for staff', async () => {
  await leave(TOTAL_DEBIT)
  const { internalReference } = await sendPayout('006')
  await gateway.runDue()
  await settleResults(await deps(), [{ internalReference, outcome: { status: 'FAILED', reason: 'no answer' } }])
  clock.advance(72 * 60 * 60 * 1000 + 1)
  await settleResults(await deps(), [{ internalReference, outcome: { status: 'COMPLETED' } }])
  expect(await balance()).toBe(TOTAL_DEBIT)
  expect(await resolve(internalReference, { status: 'COMPLETED' })).toEqual({ result: 'resolved' })
  expect(await balance()).toBe(0)
  await expectBalancedBooks(gateway)
})
