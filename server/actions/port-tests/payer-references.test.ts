import { expect, test } from 'vitest'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, unique, uniqueId } from '../../verification/testing/transactions.ts'
import { PAYER_REFERENCE, type PayerReferenceReservation } from '../ports/rail-references.ts'

onBothStores((under) => {
  const HOURS_48 = 48 * 3_600
  const scope = () => `short-code-${unique()}`
  const reserve = (seconds: number, ...reservations: readonly Omit<PayerReferenceReservation, 'reservedUntil'>[]) =>
    under().store.transaction((unit) =>
      unit.reservePayerReferences(
        reservations.map((one) => ({ ...one, reservedUntil: at(seconds + HOURS_48) })),
        at(seconds),
      ),
    )

  test('gives a reference to one of several transactions, ignoring case', async () => {
    const [place, ...ids] = [scope(), uniqueId(), uniqueId(), uniqueId()]
    const wanted = ids.map((transactionId, n) => ({
      transactionId,
      scope: place,
      reference: ['Inv-1', 'INV-1', 'inv-1'][n]!,
    }))
    expect(await reserve(0, ...wanted.toReversed())).toEqual(new Set([ids[0]]))
    expect(await reserve(1, ...wanted.slice(1))).toEqual(new Set())
  })

  test('reserves nothing without a reference, and separates scopes', async () => {
    const [one, other] = [uniqueId(), uniqueId()]
    expect(await reserve(0)).toEqual(new Set())
    expect(
      await reserve(
        0,
        { transactionId: one, scope: scope(), reference: 'INV-1' },
        { transactionId: other, scope: scope(), reference: 'INV-1' },
      ),
    ).toEqual(new Set([one, other]))
  })

  test('keeps a reference until its end, and then gives it to another', async () => {
    const [first, second] = [
      { transactionId: uniqueId(), scope: scope(), reference: 'INV-1' },
      { transactionId: uniqueId(), reference: 'INV-1' },
    ]
    const later = { ...second, scope: first.scope }
    await reserve(0, first)
    expect(await reserve(HOURS_48 - 1, later)).toEqual(new Set())
    expect(await reserve(HOURS_48, later)).toEqual(new Set([later.transactionId]))
    expect(await reserve(HOURS_48 + 1, first)).toEqual(new Set())
  })

  test('extends a reference for the transaction that has it', async () => {
    const first = { transactionId: uniqueId(), scope: scope(), reference: 'INV-1' }
    const other = { ...first, transactionId: uniqueId() }
    await reserve(0, first)
    expect(await reserve(60, first)).toEqual(new Set([first.transactionId]))
    expect(await reserve(HOURS_48 + 59, other)).toEqual(new Set())
    expect(await reserve(HOURS_48 + 60, other)).toEqual(new Set([other.transactionId]))
  })

  test.each([
    ['gets it when the first fails', true],
    ['does not get it when the first commits', false],
  ])('a transaction that wants a reference at the same time %s', async (_what, fails) => {
    const first = { transactionId: uniqueId(), scope: scope(), reference: 'INV-1' }
    const second = { ...first, transactionId: uniqueId() }
    let waiting: ReturnType<typeof reserve> | undefined
    const begun = under().store.transaction(async (unit) => {
      await unit.reservePayerReferences([{ ...first, reservedUntil: at(HOURS_48) }], at(0))
      waiting = reserve(0, second)
      await under().lockIsWaitedFor()
      if (fails) throw new Error('changed my mind')
    })
    await (fails ? expect(begun).rejects.toThrow('changed my mind') : begun)
    expect(await waiting).toEqual(new Set(fails ? [second.transactionId] : []))
  })

  test('eight batches that want the same hundred references share them out', async () => {
    const place = scope()
    const batches = Array.from({ length: 8 }, () =>
      Array.from({ length: 100 }, (_, n) => ({ transactionId: uniqueId(), scope: place, reference: `INV-${n}` })),
    )
    const reserved = await Promise.all(
      batches.map((batch, n) => reserve(n, ...(n % 2 === 0 ? batch : batch.toReversed()))),
    )
    const referenceOf = new Map(batches.flat().map(({ transactionId, reference }) => [transactionId, reference]))
    const taken = reserved.flatMap((ids) => [...ids].map((id) => referenceOf.get(id)))
    expect(taken).toHaveLength(100)
    expect(new Set(taken).size).toBe(100)
  })

  test("a payer reference is no operator's name of an order", async () => {
    const { id } = await accepted(under())
    const reference = `UC23ABC${id}`
    const names = [{ transactionId: id, railAccount: 'kenya', name: PAYER_REFERENCE, reference }]
    await under().store.transaction((unit) => unit.addRailReferences(names, at(0)))
    expect(await under().railCallbacks.transactionsCalled('kenya', [reference])).toEqual([])
  })
})
