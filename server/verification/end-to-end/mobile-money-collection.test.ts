import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../client/index.ts'
import { asOwner } from '../testing/database.ts'
import { acceptedCollection } from '../testing/client-requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { transfersFor } from '../testing/operators-book.ts'
import { eventsOf } from '../testing/history.ts'
import { byForm, testOfSimulatedRails } from '../testing/sandbox-rails.ts'

// A mobile-money collection end to end: our client, HTTP, PostgreSQL, simulated rail, HTTP out to a merchant's server.
// Each test number is followed to its end by the parts `receiver` and `model` of the contract suite.

const { gateway, database, after, receiver, malipo } = await gatewayTest({
  toReceiver: ['collection_callback_url'],
})

const record = (reference: string): Promise<Transaction> => malipo.transactions.verify(reference)

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
