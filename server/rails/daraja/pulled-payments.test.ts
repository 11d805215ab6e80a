import { expect, test } from 'vitest'
import { createPulledPayments, type Reading } from './pulled-payments.ts'

const MINUTE_MS = 60_000
const EVERY_MS = 5 * MINUTE_MS
const OURS = 'S63R5GBRYNFQ'

const paid = (transactionId: string, billreference = OURS) => ({ transactionId, amount: '500.00', billreference })

/** A list in which payments appear when a test says so, and the minutes, from the start, between which it was read. */
function listing() {
  let nowMs = Date.parse('2026-03-02T07:30:00Z')
  const startMs = nowMs
  const read: (readonly [fromMinute: number, toMinute: number])[] = []
  const listed: { readonly minute: number; readonly transaction: ReturnType<typeof paid> }[] = []
  let fault: string | undefined
  const minuteOf = (at: Date) => (at.getTime() - startMs) / MINUTE_MS
  const payments = createPulledPayments(
    { now: () => new Date(nowMs) },
    EVERY_MS,
    async (from, to): Promise<Reading> => {
      read.push([minuteOf(from), minuteOf(to)])
      const within = listed.filter(({ minute }) => minute >= minuteOf(from) && minute < minuteOf(to))
      return { transactions: within.map(({ transaction }) => transaction), ...(fault !== undefined && { fault }) }
    },
  )
  return {
    payments,
    read,
    list: (minute: number, transaction: ReturnType<typeof paid>) => listed.push({ minute, transaction }),
    breakOff: (why: string | undefined) => (fault = why),
    after: (minutes: number) => {
      nowMs += minutes * MINUTE_MS
      return payments.paidUnder(OURS)
    },
  }
}

test('all that can be read is read once, and from then on what is new, each time a little further back', async () => {
  const { after, read } = listing()
  for (let times = 0; times < 9; times += 1) await after(5)
  const widths = read.slice(1).map(([from], before) => (read[before]?.[1] ?? 0) - from)
  expect(read[0]).toEqual([5 - 48 * 60 + 5, 5])
  expect(widths).toEqual([5, 10, 5, 20, 5, 10, 5, 40])
})

test('what is found stays found, without being read again', async () => {
  const { after, list, read } = listing()
  list(-600, paid('UC1'))
  list(-600, paid('UC2', 'a customer of the till'))
  expect((await after(0)).payments).toEqual([{ transactionId: 'UC1', amount: '500.00' }])
  expect((await after(5)).payments).toHaveLength(1)
  expect(read[1]).toEqual([-5, 5])
})

test('a payment that is listed hours late is found within a few times as long', async () => {
  const { after, list } = listing()
  await after(0)
  for (let times = 0; times < 36; times += 1) await after(5)
  list(10, paid('UC1'))
  let readings = 0
  while ((await after(5)).payments.length === 0) readings += 1
  expect(readings).toBeLessThan(4 * 36)
})

test('after a list that did not come whole the same time is read again; what came holds', async () => {
  const { after, list, read, breakOff } = listing()
  await after(0)
  list(2, paid('UC1'))
  breakOff('M-PESA answered 500.003.02')
  expect(await after(5)).toMatchObject({ payments: [{ transactionId: 'UC1' }], fault: 'M-PESA answered 500.003.02' })
  breakOff(undefined)
  expect((await after(5)).fault).toBeUndefined()
  expect(read.slice(1)).toEqual([
    [-5, 5],
    [-5, 10],
  ])
})

test('what is older than the list reaches is forgotten', async () => {
  const { after, list } = listing()
  list(-1, paid('UC1'))
  expect((await after(0)).payments).toHaveLength(1)
  expect((await after(49 * 60)).payments).toEqual([])
})
