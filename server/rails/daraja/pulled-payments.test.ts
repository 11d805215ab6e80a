import { expect, test } from 'vitest'
import { createPulledPayments, type PullReading } from './pulled-payments.ts'

const MINUTE_MS = 60_000
const EVERY_MS = 5 * MINUTE_MS
const ORDER_ID = 'S63R5GBRYNFQ'

const paid = (transactionId: string, billreference = ORDER_ID, trxDate?: string) => ({
  transactionId,
  amount: '500.00',
  billreference,
  ...(trxDate !== undefined && { trxDate }),
})

/** A list in which payments appear when a test says so, and the periods that were read, in minutes from the start. */
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
    async (from, to): Promise<PullReading> => {
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
    after: (minutes: number, reference = ORDER_ID) => {
      nowMs += minutes * MINUTE_MS
      return payments.paidUnder(reference)
    },
    at: (minute: number) => new Date(startMs + minute * MINUTE_MS),
  }
}

test('reads all history once, then what is new, each time from a little earlier', async () => {
  const { after, read } = listing()
  for (let times = 0; times < 9; times += 1) await after(5)
  const widths = read.slice(1).map(([from], before) => (read[before]?.[1] ?? 0) - from)
  expect(read[0]).toEqual([5 - 48 * 60 + 5, 5])
  expect(widths).toEqual([5, 10, 5, 20, 5, 10, 5, 40])
})

test('a found payment stays found, without being read again', async () => {
  const { after, list, read } = listing()
  list(-600, paid('UC1'))
  list(-600, paid('UC2', 'a customer of the till'))
  expect((await after(0)).payments).toMatchObject([{ transactionId: 'UC1', amount: '500.00' }])
  expect((await after(5)).payments).toHaveLength(1)
  expect(read[1]).toEqual([-5, 5])
})

test('finds a payment that is listed hours late within a few times as long', async () => {
  const { after, list } = listing()
  await after(0)
  for (let times = 0; times < 36; times += 1) await after(5)
  list(10, paid('UC1'))
  let readings = 0
  while ((await after(5)).payments.length === 0) readings += 1
  expect(readings).toBeLessThan(4 * 36)
})

test('reads the same period again after an incomplete list; what came is kept', async () => {
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

test('forgets what is older than the list reaches', async () => {
  const { after, list } = listing()
  list(-1, paid('UC1'))
  expect((await after(0)).payments).toHaveLength(1)
  expect((await after(49 * 60)).payments).toEqual([])
})

test('keeps payments under every reference, ignoring case', async () => {
  const { after, list } = listing()
  list(-10, paid('UC1', ' inv-2026-7 '))
  list(-10, paid('UC2', 'ORDER-1'))
  list(-10, paid('UC3', 'a reference that is too long'))
  const receipts = async (reference: string) => (await after(0, reference)).payments.map((each) => each.transactionId)
  expect(await receipts('INV-2026-7')).toEqual(['UC1'])
  expect(await receipts('order-1')).toEqual(['UC2'])
  expect(await receipts('a reference that is too long')).toEqual(['UC3'])
})

test('dates a payment by its own time, else by the latest list that has it', async () => {
  const { after, list, at } = listing()
  list(-10, paid('UC1', ORDER_ID, '2026-03-02T10:20:00+03:00'))
  list(-10, paid('UC2', 'ORDER-1'))
  list(-4, paid('UC3', 'ORDER-2', 'yesterday'))
  const timesOf = async (minutes: number, reference: string) =>
    (await after(minutes, reference)).payments.map(({ notBefore }) => notBefore)
  expect(await timesOf(0, ORDER_ID)).toEqual([at(-10)])
  expect(await timesOf(0, 'ORDER-1')).toEqual([at(5 - 48 * 60)])
  expect(await timesOf(5, 'ORDER-1')).toEqual([at(5 - 48 * 60)])
  expect(await timesOf(0, 'ORDER-2')).toEqual([at(-5)])
})

test('forgets other payments first when there are too many', async () => {
  const { after, list } = listing()
  list(-10, paid('UC1'))
  for (let n = 0; n < 60_000; n += 1) list(-9, paid(`OTHER${n}`, `EARLY-${n % 1_000}`))
  await after(0)
  for (let n = 0; n < 60_000; n += 1) list(1, paid(`LATER${n}`, `LATE-${n % 1_000}`))
  expect((await after(5, 'LATE-1')).payments).toHaveLength(60)
  expect((await after(0, 'EARLY-1')).payments.length).toBeLessThan(60)
  expect((await after(0)).payments).toMatchObject([{ transactionId: 'UC1' }])
})
