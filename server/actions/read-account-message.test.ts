import { expect, test } from 'vitest'
import { money } from '../domain/money.ts'
import { claimDue, railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { accepted, at, unique } from '../verification/testing/transactions.ts'
import type { AccountMessage, Rail, UnrequestedPayment } from './ports/rail.ts'
import { PAYER_REFERENCE } from './ports/rail-references.ts'
import { createAccountMessageReading } from './read-account-message.ts'

// An operator may report the payment of a prompt twice: as its result, and as a payment that nobody asked for.

onBothStores((under) => {
  async function reported(
    changes: Partial<UnrequestedPayment>,
    { mayBeOrdered = false, confirmed = {} }: { mayBeOrdered?: boolean; confirmed?: Partial<UnrequestedPayment> } = {},
  ) {
    const [{ store, accountMessages, railCallbacks, unrequested, read }, railAccount] = [
      under(),
      await under().newFloat(0n, at(0)),
    ]
    const payment = { receipt: `R${unique()}`, amount: money(1_000n, 'UGX'), paidAt: at(0), ...changes }
    const message: AccountMessage = {
      about: 'payment',
      payment,
      receiptName: 'receipt',
      ...(mayBeOrdered && { mayBeOrdered }),
    }
    const rail = {
      readMessage: () => message,
      confirmPayment: async () => ({ ...payment, ...confirmed }),
    }
    const results: string[] = []
    await accountMessages.receive({ railAccount, method: 'POST', tail: 'paid', body: payment.receipt }, at(0))
    return {
      railAccount,
      receipt: payment.receipt,
      results,
      suspense: () => read.suspense(railAccount),
      async read(seconds: number) {
        const deps = {
          ...railDeps(under(), rail as unknown as Rail, () => at(seconds)),
          rail,
          railCallbacks,
          accountMessages,
          unrequested,
          reportedBalances: { take: async () => false },
          keepMessage: (_message: unknown, { result }: { readonly result: string }) => void results.push(result),
        }
        const due = await claimDue(under(), 'readAccountMessage', seconds)
        await Promise.all(createAccountMessageReading(deps as never)(due))
      },
      /** A collection that is paid under this reference. */
      async ordered(reference: string, status: 'PROCESSING' | 'COMPLETED') {
        const order = await accepted(under())
        const names = { transactionId: order.id, railAccount, name: PAYER_REFERENCE, reference }
        await store.transaction(async (unit) => {
          await unit.addRailReferences([names], at(0))
          await unit.saveStates([{ ...order, status, ...(status === 'COMPLETED' && { finalAt: at(1) }) }])
        })
        return order.id
      },
      named: (transactionId: bigint, name: string, reference: string) =>
        store.transaction((unit) =>
          unit.addRailReferences([{ transactionId, railAccount, name, reference, origin: 'call' }], at(2)),
        ),
    }
  }
  const READINGS = [0, 2, 12, 72, 372, 2_172, 9_372]

  test.each(['PROCESSING', 'COMPLETED'] as const)(
    'the payment of an order that is %s, without receipt, stays a claim',
    async (status) => {
      const reference = `INV-${unique()}`
      const one = await reported({ reference: reference.toLowerCase() })
      await one.ordered(`${reference}0`, status)
      await one.ordered(reference, status)
      for (const seconds of READINGS) await one.read(seconds)
      expect([one.results, await one.suspense()]).toEqual([['unconfirmed'], 0n])
    },
  )

  test('the payment of an order that gets its receipt later is known by it', async () => {
    const reference = `INV-${unique()}`
    const one = await reported({ reference })
    const id = await one.ordered(reference, 'COMPLETED')
    await one.read(0)
    await one.named(id, 'receipt', one.receipt)
    await one.read(2)
    expect([one.results, await one.suspense()]).toEqual([['known_payment'], 0n])
  })

  test('a reference that only the operator’s list shows belongs to its order too', async () => {
    const reference = `INV-${unique()}`
    const one = await reported({}, { confirmed: { reference } })
    await one.ordered(reference, 'PROCESSING')
    for (const seconds of READINGS) await one.read(seconds)
    expect([one.results, await one.suspense()]).toEqual([['unconfirmed'], 0n])
  })

  test('one without a reference, where orders have none either, waits for their reports', async () => {
    const one = await reported({}, { mayBeOrdered: true })
    for (const seconds of READINGS.slice(0, 4)) await one.read(seconds)
    expect([await one.suspense(), one.results]).toEqual([0n, []])
    await one.read(372)
    expect([await one.suspense(), one.results]).toEqual([1_000n, ['booked']])
  })
})
