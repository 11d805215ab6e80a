import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../client/index.ts'
import { asOwner } from '../testing/database.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { acceptedCollection } from '../testing/client-requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { OPERATORS_BOOK, transfersFor } from '../testing/operators-book.ts'
import { eventsOf } from '../testing/history.ts'
import { collectionBalance } from '../testing/requests.ts'
import { byForm, testOfSimulatedRails, WHY } from '../testing/sandbox-rails.ts'

// A mobile-money collection end to end: our client, HTTP, PostgreSQL, simulated rail, HTTP out to a merchant's server.

const { gateway, database, after, receiver, malipo } = await gatewayTest({
  toReceiver: ['collection_callback_url'],
})

const record = (reference: string): Promise<Transaction> => malipo.transactions.verify(reference)

const balanceNow = (): Promise<number> => collectionBalance(gateway.url)

const kindsOf = async (reference: string) => (await eventsOf(gateway, reference)).map(({ kind }) => kind)

const transfersOnRail = (reference: string): Promise<number> => transfersFor(gateway.pool, reference)

describe('states', () => {
  test('PENDING after acceptance, PROCESSING while the rail works, COMPLETED at last', async () => {
    const reference = await acceptedCollection(malipo, '123')
    expect(await record(reference)).toMatchObject({
      transaction_status: 'PENDING',
      status_message: 'Transaction Pending',
    })
    await gateway.runDue()
    expect(await record(reference)).toMatchObject({
      transaction_status: 'PROCESSING',
      status_message: "Waiting for the customer's approval",
    })
    await after(1000)
    expect(await record(reference)).toMatchObject({
      transaction_status: 'COMPLETED',
      status_message: 'Transaction Completed Successfully',
      transaction_charge: 50,
      total_credit: 4950,
    })
    expect(await kindsOf(reference)).toEqual([
      'submitted',
      ...byForm([], ['rail_callback_confirmed']),
      'settled',
      'callback_delivered',
    ])
  })

  test.each([
    ['001', 'COMPLETED', 'Transaction Completed Successfully', undefined],
    ['002', 'FAILED', WHY.collection.unable, 'insufficient_funds'],
    ['003', 'FAILED', WHY.collection.expired, 'expired'],
    ['004', 'FAILED', WHY.collection.declined, 'declined'],
  ])('test number %s ends %s: %s (%s)', async (ending, status, message, code) => {
    const balance = await balanceNow()
    const reference = await acceptedCollection(malipo, ending)
    await after(1000)
    const reported = await record(reference)
    const [transaction_charge, total_credit] = status === 'COMPLETED' ? [50, 4950] : [0, 0]
    const state = { transaction_status: status, status_message: message }
    expect(reported).toMatchObject({ ...state, transaction_amount: 5000, transaction_charge, total_credit })
    expect(reported.failure_code).toBe(code)
    expect(await balanceNow()).toBe(balance + total_credit)
    const [callback, ...more] = receiver.about(reference)
    expect(more).toEqual([])
    expect(callback!.json).toEqual({
      event: status === 'COMPLETED' ? 'transaction.completed' : 'transaction.failed',
      payload: reported,
    })
    await expectBalancedBooks(gateway)
  })

  test('test number 006 stays PROCESSING, polls every ten minutes and never fails', async () => {
    const reference = await acceptedCollection(malipo, '006')
    await after(10 * 60_000)
    for (let hour = 0; hour < 25; hour += 1) await after(3_600_000)
    expect(await record(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
    // Only the first, second, fourth, eighth and sixteenth query are in its history, which must not grow without bound.
    expect((await kindsOf(reference)).filter((kind) => kind === 'rail_asked')).toHaveLength(5)
    expect(receiver.about(reference)).toEqual([])
  })

  test('test number 008: unreachable twice, then exactly one transfer', async () => {
    const reference = await acceptedCollection(malipo, '008')
    await gateway.runDue()
    expect(await transfersOnRail(reference)).toBe(0)
    await after(1000)
    await after(2000)
    // The simulated rail moves the money when it accepts the order; an operator on the wire does when the customer
    // approves the prompt.
    expect(await transfersOnRail(reference)).toBe(byForm(1, 0))
    await after(1000)
    expect(await record(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
    expect(await transfersOnRail(reference)).toBe(1)
    expect((await kindsOf(reference)).filter((kind) => kind === 'rail_unreachable')).toHaveLength(2)
    expect(receiver.about(reference)).toHaveLength(1)
  })

  test('test number 009: the same result three times has one effect and one callback', async () => {
    const balance = await balanceNow()
    const reference = await acceptedCollection(malipo, '009')
    await after(1000)
    expect(await balanceNow()).toBe(balance + 4950)
    expect(receiver.about(reference)).toHaveLength(1)
    const ignored = (await kindsOf(reference)).filter((kind) => kind === 'rail_result_ignored')
    // Over the wire a message is a hint: one that changes nothing leaves no result to ignore.
    expect(ignored).toHaveLength(byForm(2, 0))
    await expectBalancedBooks(gateway)
  })

  test('test number 010 takes 60 seconds', async () => {
    const reference = await acceptedCollection(malipo, '010')
    await after(59_999)
    expect(await record(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
    await after(1)
    expect(await record(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  })

  // A denial: the operator says that it never got the order.
  testOfSimulatedRails('no operator forgets an accepted order; the conformance kit covers denials')(
    'after a day without a result it fails only because the rail confirms no movement',
    async () => {
      const reference = await acceptedCollection(malipo, '006')
      await gateway.runDue()
      await gateway.pool.query(
        `delete from sandbox.orders where reference = (select internal_reference from transactions where merchant_reference = $1)`,
        [reference],
      )
      for (let hour = 0; hour < 23; hour += 1) {
        await after(3_600_000)
        await gateway.pool.query(
          `delete from sandbox.orders where reference = (select internal_reference from transactions where merchant_reference = $1)`,
          [reference],
        )
      }
      expect(await record(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
      await after(3_600_000)
      expect(await record(reference)).toMatchObject({
        transaction_status: 'FAILED',
        status_message: 'The request timed out without a transfer',
        failure_code: 'expired',
      })
      expect(receiver.about(reference)).toHaveLength(1)
    },
  )

  // The rail collects more than the amount.
  test('the customer pays the charge on top: the merchant is credited the whole amount', async () => {
    const balance = await balanceNow()
    const reference = await acceptedCollection(malipo, '123', { charge_customer: true })
    await after(1000)
    expect(await record(reference)).toMatchObject({
      transaction_amount: 5000,
      transaction_charge: 50,
      total_credit: 5000,
    })
    expect(await balanceNow()).toBe(balance + 5000)
    const { rows } = await gateway.pool.query<{ amount_minor: bigint }>(
      `select o.amount_minor from ${OPERATORS_BOOK} o join transactions t on t.internal_reference = o.reference where t.merchant_reference = $1`,
      [reference],
    )
    expect(rows[0]!.amount_minor).toBe(5050n)
  })
})

describe('late results (test number 007)', () => {
  test('FAILED becomes COMPLETED if the merchant allows it: one credit, two callbacks', async () => {
    const balance = await balanceNow()
    const reference = await acceptedCollection(malipo, '007')
    await after(1000)
    expect(await record(reference)).toMatchObject({
      transaction_status: 'FAILED',
      failure_code: 'expired',
      total_credit: 0,
    })
    await after(2000)
    const completed = await record(reference)
    expect(completed).toMatchObject({ transaction_status: 'COMPLETED', transaction_charge: 50, total_credit: 4950 })
    expect(completed).not.toHaveProperty('failure_code')
    expect(await balanceNow()).toBe(balance + 4950)
    expect(receiver.about(reference).map(({ json: { event, payload } }) => [event, payload['failure_code']])).toEqual([
      ['transaction.failed', 'expired'],
      ['transaction.completed', undefined],
    ])
    await expectBalancedBooks(gateway)
  })

  test('stays FAILED when the merchant does not', async () => {
    const balance = await balanceNow()
    const reference = await acceptedCollection(malipo, '007', { allow_final_status_change: false })
    await after(1000)
    await after(2000)
    expect(await record(reference)).toMatchObject({ transaction_status: 'FAILED' })
    expect(await balanceNow()).toBe(balance)
    expect(receiver.about(reference)).toHaveLength(1)
  })
})

// The role of the gateway may not change them at all: runtime-rights.test.ts.
test('not even the owner of the database changes what was booked', async () => {
  for (const sql of [
    'update entries set amount_minor = amount_minor + 1',
    'delete from entries',
    'truncate entries',
    'delete from transfers',
    'update transaction_events set detail = $$x$$',
  ])
    await expect(asOwner(database.connection, sql), sql).rejects.toThrow(/append-only/)
})
