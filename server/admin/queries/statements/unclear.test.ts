import { expect, test } from 'vitest'
import { money } from '../../../domain/money.ts'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { expectBalancedBooks } from '../../../verification/testing/ledger.ts'
import { examine } from '../doctor.ts'
import { bookMovement } from './book-movement.ts'
import { unrequestedPayments } from './book-unrequested.ts'
import { endException } from './end-exception.ts'
import type { NewStatementLine } from './import.ts'
import { importLines, statementAccount } from './testing/installed.ts'

const NOW = new Date('2026-03-20T08:00:00Z')
const { pool } = await databaseTest()
let made = 0

const entry = (changes: Partial<NewStatementLine> = {}): NewStatementLine => ({
  source: 0,
  lineNumber: 2n,
  reference: 'A1',
  account: '',
  bookedOn: '2026-03-02',
  at: new Date('2026-03-02T00:00:00Z'),
  feeMinor: 0n,
  ...changes,
})
const moved = { direction: 'in', amountMinor: 19_586n } as const
const unclear = (changes: Partial<NewStatementLine> = {}) =>
  entry({ doubt: 'unclear', note: 'has charges of which it does not say whether they are included', ...changes })

function undated(line: NewStatementLine): NewStatementLine {
  const { bookedOn: _, ...others } = line
  return { ...others, at: NOW }
}

async function openRailAccount() {
  made += 1
  const railAccount = `bank-${made}`
  const account = await statementAccount(pool, railAccount, {
    now: NOW,
    names: { receipt: { COLLECTION: 'r', PAYOUT: 'r' } },
  })
  return {
    ...account,
    imported: (lines: readonly NewStatementLine[], file = 'same') =>
      importLines(pool, railAccount, lines, NOW, { name: file, digest: Buffer.from(`${railAccount} ${file}`) }),
    exceptions: async () =>
      (await account.open()).map((each) => [each.kind, each.line_reference, each.found_minor, each.suspense_minor]),
    async end() {
      const [first] = await account.open()
      return endException(pool, first!.id, { reason: 'Explained', by: 'amina' }, NOW)
    },
  }
}

test.each([
  ['all but its parts', moved, [19_586n, 19_586n], { rail: -19_586n, suspense: 19_586n }],
  ['money that went', { ...moved, direction: 'out' }, [19_586n, -19_586n], { rail: 19_586n, suspense: -19_586n }],
  ['no direction', { amountMinor: 500n }, [500n, 0n], {}],
  ['no amount', { direction: 'in' }, [null, 0n], {}],
  ['nothing but a reference', {}, [null, 0n], {}],
] as const)('makes an entry with %s an exception, once', async (_what, known, money, balances) => {
  const { imported, reconciled, exceptions, balances: now } = await openRailAccount()
  expect(await imported([unclear(known)])).toMatchObject({ lines: 1n, newLines: 0n, unclear: 1n })
  await reconciled()
  expect(await exceptions()).toEqual([['unclear', 'A1', ...money]])
  expect(await now()).toEqual(balances)
  expect(await imported([unclear(known)])).toMatchObject({ lines: 1n, newLines: 0n, unclear: 0n })
  expect(await imported([unclear(known)], 'month')).toMatchObject({ unclear: 0n })
  expect(await reconciled()).toMatchObject({ opened: 0, ended: 0 })
  expect(await exceptions()).toHaveLength(1)
})

test('distinguishes entries without a reference by day and amount', async () => {
  const { imported, reconciled, exceptions } = await openRailAccount()
  const nameless = [
    unclear({ ...moved, reference: '' }),
    unclear({ ...moved, reference: '', bookedOn: '2026-03-03' }),
    unclear({ ...moved, reference: '', amountMinor: 7n }),
  ]
  expect(await imported(nameless)).toMatchObject({ unclear: 3n })
  expect(await imported(nameless)).toMatchObject({ unclear: 0n })
  await reconciled()
  expect((await exceptions()).map(([kind, reference]) => [kind, reference])).toEqual(Array(3).fill(['unclear', null]))
})

test("an entry without a day does not change the statement's period", async () => {
  const { imported, reconciled } = await openRailAccount()
  const { bookedOn: _, ...undated } = unclear({ reference: 'A2', at: NOW })
  const result = await imported([entry(moved), undated])
  expect(result).toMatchObject({ newLines: 1n, unclear: 1n, lastAt: new Date('2026-03-02T00:00:00Z') })
  expect(await imported([entry(moved), { ...undated, at: new Date() }])).toMatchObject({ newLines: 0n, unclear: 0n })
  expect(await reconciled()).toMatchObject({ opened: 2 })
})

test("a day in the future does not change the statement's period", async () => {
  const { imported, reconciled, exceptions } = await openRailAccount()
  const file = [
    entry(moved),
    unclear({ ...moved, reference: 'A2', bookedOn: '9999-12-31', at: new Date('9999-12-31') }),
  ]
  expect(await imported(file)).toMatchObject({ unclear: 1n, lastAt: new Date('2026-03-02T00:00:00Z') })
  expect(await reconciled()).toMatchObject({ until: new Date('2026-03-02T00:00:00Z'), opened: 2 })
  expect(await exceptions()).toContainEqual(['unclear', 'A2', 19_586n, 19_586n])
})

test('stays open until somebody ends it, and then stays ended', async () => {
  const { imported, reconciled, exceptions, end } = await openRailAccount()
  await imported([unclear(moved)])
  await reconciled()
  await reconciled()
  expect(await exceptions()).toHaveLength(1)
  await end()
  await imported([unclear(moved)])
  expect(await reconciled()).toMatchObject({ opened: 0 })
  expect(await exceptions()).toEqual([])
})

test('books no movement by hand while its entry is an open exception', async () => {
  const { imported, reconciled, end, railAccount } = await openRailAccount()
  const movement = { railAccount, currency: 'UGX', reference: 'A1', reason: 'Top-up', by: 'amina' } as const
  await imported([unclear({ direction: 'in' })])
  await reconciled()
  const book = () => bookMovement(pool, { ...movement, direction: 'in', amountMinor: 5_000n }, NOW)
  expect(await book()).toMatchObject({ result: 'open_exception' })
  await end()
  expect(await book()).toEqual({ result: 'booked' })
})

test('counts the money of an entry once where only its fee is unclear', async () => {
  const { imported, reconciled, exceptions, balances } = await openRailAccount()
  const file = [entry(moved), unclear({ ...moved, note: 'has a fee in USD' })]
  expect(await imported(file)).toMatchObject({ newLines: 1n, unclear: 1n })
  expect(await imported(file)).toMatchObject({ newLines: 0n, unclear: 0n })
  await reconciled()
  expect(await exceptions()).toEqual([
    ['missing_with_us', 'A1', 19_586n, 19_586n],
    ['unclear', 'A1', 19_586n, 0n],
  ])
  expect(await balances()).toEqual({ rail: -19_586n, suspense: 19_586n })
})

test("counts a line's money once when a stricter reading makes it unclear", async () => {
  const { imported, reconciled, balances } = await openRailAccount()
  await imported([entry(moved)])
  expect(await imported([unclear(moved)])).toMatchObject({ newLines: 0n, unclear: 0n })
  await reconciled()
  expect(await balances()).toEqual({ rail: -19_586n, suspense: 19_586n })
})

test('counts the money of an unclear entry beside another in a file without line ends', async () => {
  const { imported, reconciled, balances } = await openRailAccount()
  const entries = [entry(moved), unclear({ ...moved, reference: 'A2' }), unclear({ ...moved, bookedOn: '2026-03-03' })]
  await imported(entries.map((each) => ({ ...each, lineNumber: 1n })))
  await reconciled()
  expect(await balances()).toEqual({ rail: -58_758n, suspense: 58_758n })
})

test('removes the exception once a setting makes the entry readable', async () => {
  const { imported, reconciled, exceptions, balances } = await openRailAccount()
  await imported([unclear(moved)])
  await reconciled()
  const read = entry({ direction: 'in', amountMinor: 20_000n, feeMinor: 414n })
  expect(await imported([read])).toMatchObject({ newLines: 1n, unclear: 0n })
  expect(await reconciled()).toMatchObject({ opened: 1, ended: 1, feesMinor: 414n })
  expect(await exceptions()).toEqual([['missing_with_us', 'A1', 20_000n, 20_000n]])
  expect(await balances()).toEqual({ fee: -414n, rail: -19_586n, suspense: 20_000n })
  expect(await imported([read])).toMatchObject({ newLines: 0n, unclear: 0n })
})

test('reports a reversal of a known line, and of no other', async () => {
  const { imported, reconciled, exceptions, balances } = await openRailAccount()
  const { bookedOn: _, ...undated } = unclear({ note: 'is with status Reversed', isReversal: true })
  expect(await imported([undated])).toMatchObject({ lines: 0n, reversals: 0n, unclear: 0n })
  await imported([entry(moved)])
  expect(await imported([undated])).toMatchObject({ lines: 0n, newLines: 0n, unclear: 0n, reversals: 1n })
  expect(await imported([{ ...undated, at: new Date() }], 'later')).toMatchObject({ reversals: 0n })
  await reconciled()
  expect(await exceptions()).toEqual([
    ['missing_with_us', 'A1', 19_586n, 19_586n],
    ['unclear', 'A1', null, 0n],
  ])
  expect(await balances()).toEqual({ rail: -19_586n, suspense: 19_586n })
})

test.each([
  [
    'with its charges in it',
    unclear({ ...moved, direction: 'out' }),
    entry({ ...moved, direction: 'out', amountMinor: 19_500n, feeMinor: 86n }),
  ],
  ['with charges that came off', unclear(moved), entry({ ...moved, amountMinor: 19_600n, feeMinor: 14n })],
  ['with its charges beside it', unclear(moved), entry({ ...moved, feeMinor: 14n })],
  ['whose day could not be read', undated(unclear(moved)), entry(moved)],
] as const)('books an entry %s once, whichever of two files can be read', async (_what, entryAsWhole, line) => {
  const { direction, amountMinor = 0n } = line
  const suspense = direction === 'in' ? amountMinor : -amountMinor
  for (const files of [
    [entryAsWhole, line],
    [line, entryAsWhole],
  ]) {
    const { imported, reconciled, exceptions, balances } = await openRailAccount()
    for (const [index, each] of files.entries()) {
      await imported([each], `file ${index}`)
      await reconciled()
    }
    for (const [index, each] of files.entries())
      expect(await imported([each], `again ${index}`)).toMatchObject({ newLines: 0n, unclear: 0n })
    await reconciled()
    expect(await exceptions()).toEqual([['missing_with_us', 'A1', amountMinor, suspense]])
    expect((await balances())['suspense']).toBe(suspense)
  }
})

test('keeps an unclear entry of another day, amount, direction or order separate', async () => {
  const { imported, reconciled, exceptions } = await openRailAccount()
  await imported([entry({ ...moved, ourReference: 'order-a' })], 'first')
  const others = [
    unclear({ ...moved, ourReference: 'order-b' }),
    unclear({ ...moved, bookedOn: '2026-03-03' }),
    unclear({ ...moved, amountMinor: 7n }),
    unclear({ ...moved, direction: 'out' }),
  ]
  expect(await imported(others, 'second')).toMatchObject({ unclear: 4n })
  await reconciled()
  expect(await exceptions()).toHaveLength(5)
})

test('the books are sound after all of these', async () => {
  await expectBalancedBooks({ pool })
  const findings = await examine(pool, NOW)
  expect(findings.filter(({ name, found }) => found > 0 && /suspense|transfers|replay/.test(name))).toEqual([])
})

test.each(['the operator', 'the statement'])('a payment nobody asked for that %s confirms lies once', async (by) => {
  const { railAccount, imported, reconciled, exceptions, balances: now } = await openRailAccount()
  const unrequested = unrequestedPayments(pool)
  const payment = { receipt: 'A1', amount: money(19_586n, 'UGX'), paidAt: entry().at }
  expect(await unrequested.claim(railAccount, payment, NOW)).toBe(true)
  const isUnconfirmed = async () =>
    (await examine(pool, new Date(NOW.getTime() + 86_400_001))).some(({ name, examples }) =>
      examples.some((each) => name === 'claims_confirmed' && each.includes(railAccount)),
    )
  expect([await now(), await isUnconfirmed()]).toEqual([{}, true])
  if (by === 'the operator') expect(await unrequested.book(railAccount, payment, NOW)).toBe(true)
  await imported([entry(moved)])
  await reconciled()
  expect(await unrequested.claim(railAccount, payment, NOW)).toBe(false)
  expect(await unrequested.book(railAccount, payment, NOW)).toBe(false)
  expect([await now(), await isUnconfirmed()]).toEqual([{ rail: -19_586n, suspense: 19_586n }, false])
  expect(await exceptions()).toEqual([['missing_with_us', 'A1', 19_586n, 19_586n]])
})
