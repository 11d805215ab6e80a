import { pino } from 'pino'
import { expect, test } from 'vitest'
import { settlingOf } from '../../admin/cli/database.ts'
import { examine } from '../../admin/queries/doctor.ts'
import { createFigures } from '../../admin/queries/figures.ts'
import { listStuck } from '../../admin/queries/stuck-transactions.ts'
import type { Pool } from '../../storage/pool.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { createStore } from '../../storage/store.ts'
import { leaveForPayouts, resolveByStaff } from '../testing/book-by-staff.ts'
import { MASTER_KEY, seededRandom } from '../testing/gateway.ts'
import { eventsOf } from '../testing/history.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { transfersOf } from '../testing/operators-book.ts'
import { payOut, payoutBalance, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { resolveTransaction } from '../../actions/resolve-transaction.ts'
import { settleResults } from '../../actions/settle-results.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// A payout that failed and turns out to be paid, when its wallet is nearly empty: the money is gone, so the payout must
// be booked, or listed by name until it can be. Two payouts in one commit are tested in settle-results.test.ts.

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

/** Of 20,000 with the charge of half a percent. */
const TOTAL_DEBIT = 20_100

async function sendPayout(ending: string): Promise<{ reference: string; internalReference: string }> {
  const reference = uniqueReference()
  const changes = { merchant_reference: reference, account_number: uniqueMsisdn(ending) }
  const { status, body } = await payOut(gateway.url, changes)
  expect(status).toBe(202)
  return { reference, internalReference: body.data['internal_reference'] as string }
}

const balance = () => payoutBalance(gateway.url)
const leave = (amount: number) => leaveForPayouts(gateway.pool, 'UGX', BigInt(amount), clock.now())
const record = async (reference: string) => (await verify(gateway.url, reference)).body.data
const history = async (internalReference: string): Promise<readonly string[]> =>
  (await eventsOf(gateway, internalReference)).map(({ kind, detail }) => `${kind}: ${detail}`)
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

const RANDOM = seededRandom('late payouts')
const deps = async (pool: Pool = gateway.pool) => ({
  ...(await settlingOf({
    mode: 'sandbox',
    pool,
    clock,
    random: RANDOM,
    secretBox: async () => createSecretBox(MASTER_KEY, RANDOM),
  })),
  store: createStore(pool),
})
const resolve = (internalReference: string, outcome: RailOutcome) =>
  resolveByStaff(
    gateway.pool,
    internalReference,
    async (pool) => resolveTransaction(await deps(pool), internalReference, outcome),
    clock.now(),
  )

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
  const events = await history(internalReference)
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
  expect(await history(internalReference)).toContainEqual(
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
