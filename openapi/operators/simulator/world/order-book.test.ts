import { expect, test } from 'vitest'
import { carryForward } from './carry-forward.ts'
import type { Entry, Journal } from './journal.ts'
import { mtnCaller } from '../mtn-momo/testing/mtn-caller.ts'
import { advance, receiver, simulatedMtn } from '../testing/simulated.ts'

/** A journal that outlives the simulator of a test. @returns a function that opens it for each start */
function journalInMemory(): () => Journal {
  const kept: string[] = []
  return () => ({
    entries: kept.map((line) => JSON.parse(line) as Entry),
    append: (entry) => void kept.push(JSON.stringify(entry)),
    kept: () => Promise.resolve(),
  })
}

test('restores orders, money and receipts after a restart, and sends pending reports', async () => {
  const journal = journalInMemory()
  const first = await simulatedMtn({ journal: journal(), auto: true })
  const { url: callbacks, received } = await receiver()
  const reported = { 'x-callback-url': `${callbacks}/reported` }
  const { id: paid } = await mtnCaller(first).collect({}, reported)
  await advance(first, 2_000)
  const { id: waiting } = await mtnCaller(first).collect({ externalId: 'waits' }, reported)
  await first.close()

  const second = await simulatedMtn({ journal: journal(), auto: true })
  const { orders, accounts, statement } = second.world
  expect(orders.find('collection', paid)).toMatchObject({ state: 'succeeded', receipts: ['1363506001'], moved: 1 })
  expect(accounts.balanceOf('collection')).toBe('6000')
  expect(statement.lines()).toHaveLength(1)
  expect(orders.find('collection', waiting)).toMatchObject({ state: 'waiting', externalId: 'waits' })
  // Its clock begins behind the first one's, which was advanced.
  await advance(second, 5_000)
  expect(orders.find('collection', waiting)).toMatchObject({ state: 'succeeded', receipts: ['1363506002'] })
  expect(received).toHaveLength(2)

  // Of dropped orders, account balances and receipt numbers continue.
  const { entries, append, kept } = journal()
  const summed = carryForward(entries, new Date(second.world.clock.now().getTime() + 1))
  expect(summed).toMatchObject({ dropped: { length: entries.length }, carried: { changes: { collection: '10000' } } })
  const third = await simulatedMtn({ journal: { entries: summed ? [summed.carried] : [], append, kept }, auto: true })
  expect(third.world.accounts.balanceOf('collection')).toBe('11000')
  const { id: next } = await mtnCaller(third).collect({ externalId: 'next' })
  await advance(third, 2_000)
  expect(third.world.orders.find('collection', next)).toMatchObject({ receipts: ['1363506003'] })
  expect(received).toHaveLength(2)
})

test('the next process reports a verdict that was pending when the process ended', async () => {
  const journal = journalInMemory()
  const first = await simulatedMtn({ journal: journal(), auto: true })
  const { url: callbacks, received } = await receiver()
  const { id } = await mtnCaller(first).collect({}, { 'x-callback-url': `${callbacks}/reported` })
  await first.close()
  const kept = journal()
  kept.append({ entry: 'settled', at: new Date().toISOString(), kind: 'collection', id, movement: 1 })

  const second = await simulatedMtn({ journal: journal() })
  await second.callbacks.idle()
  expect(received).toMatchObject([{ body: { status: 'SUCCESSFUL', financialTransactionId: '1363506001' } }])
})
