import { expect, test } from 'vitest'
import { money } from '../../domain/money.ts'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, unique } from '../../verification/testing/transactions.ts'
import { OUR_REFERENCE, PAYER_REFERENCE } from '../ports/rail-references.ts'

onBothStores((under) => {
  const place = () => under().newFloat(0n, at(0))
  const paid = (amountMinor = 70_000n) => ({
    receipt: `R${unique()}`,
    amount: money(amountMinor, 'UGX'),
    paidAt: at(0),
  })

  test('a claim books nothing, and a confirmation books what the operator says, once', async () => {
    const [{ unrequested, read }, railAccount, payment] = [under(), await place(), paid()]
    const forged = { ...payment, amount: money(9_000_000n, 'UGX') }
    expect(await unrequested.claim(railAccount, forged, at(1))).toBe(true)
    expect(await unrequested.claim(railAccount, payment, at(2))).toBe(true)
    expect(await read.suspense(railAccount)).toBe(0n)
    const booked = await Promise.all(Array.from({ length: 4 }, () => unrequested.book(railAccount, payment, at(3))))
    expect(booked.filter((isNew) => isNew)).toHaveLength(1)
    expect(await read.suspense(railAccount)).toBe(70_000n)
    expect(await unrequested.claim(railAccount, forged, at(4))).toBe(false)
    expect(await unrequested.claim(await place(), payment, at(4))).toBe(true)
  })

  test('stores a repeated message once, and reads it until its end', async () => {
    const [{ accountMessages, read }, railAccount] = [under(), await place()]
    const message = { railAccount, method: 'POST', tail: 'message', body: '{"a":1}' } as const
    const received = [await accountMessages.receive(message, at(0)), await accountMessages.receive(message, at(1))]
    expect(received).toEqual(['stored', 'known'])
    const [job] = await read.work()
    expect(job).toMatchObject({ kind: 'readAccountMessage', dueAt: at(0) })
    const id = job?.subjectId ?? 0n
    expect(await accountMessages.load(id)).toEqual({ ...message, id })
    await accountMessages.end(id, 'booked', at(2))
    expect(await accountMessages.load(id)).toBeUndefined()
  })

  test('finds the order of a message and the awaited collection within a rail account', async () => {
    const [{ accountMessages, store }, railAccount] = [under(), await place()]
    const { id } = await accepted(under())
    const names = [
      { name: OUR_REFERENCE, reference: `our-${id}` },
      { name: 'CheckoutRequestID', reference: `their-${id}` },
      { name: PAYER_REFERENCE, reference: `Inv-${id}` },
    ].map((each) => ({ ...each, transactionId: id, railAccount }))
    await store.transaction((unit) => unit.addRailReferences(names, at(0)))
    const called = (orderId?: string, theirs = `their-${id}`, where = railAccount) =>
      accountMessages.orderCalled(where, { ...(orderId !== undefined && { orderId }), externalIds: { theirs } })
    expect(await called(`OUR-${id}`)).toBe(`our-${id}`)
    expect(await called()).toBe(`our-${id}`)
    expect(
      await Promise.all([called('another'), called(undefined, `Inv-${id}`), called(`our-${id}`, '', await place())]),
    ).toEqual([undefined, undefined, undefined])
    expect(await accountMessages.isAwaited(railAccount, `INV-${id}`)).toBe(true)
    expect(await accountMessages.isAwaited(railAccount, `INV-${id}0`)).toBe(false)
  })
})
