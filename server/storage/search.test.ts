import { createHmac } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { searchPayments } from '../admin/queries/payment-search.ts'
import { listTransactions, type TransactionFilter } from '../admin/queries/transactions.ts'
import { money } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { until } from '../verification/testing/until.ts'
import { at, newTransaction, wholeLimit } from '../verification/testing/transactions.ts'
import { createAcceptance } from './accept-transactions.ts'
import type { Digests } from './digests.ts'
import { createIndexing, readSearchMark, searchKey, wordsOfName } from './search.ts'
import { idBound } from './time-ids.ts'
import { transactionStatements } from './transactions.ts'

const { pool } = await databaseTest()
const { accept } = createAcceptance(pool)
const digests: Digests = (purpose, text) => createHmac('sha256', 'test').update(`${purpose}\0${text}`).digest()
const DEMO = 1n

/** One run decides up to where it is safe, a later one indexes that far: transactions of other tests hold it up. */
async function index(seconds: number, keyed: Digests = digests): Promise<void> {
  const wanted = idBound(at(seconds - 60))
  await until(
    async () => {
      await createIndexing(pool, keyed, () => at(seconds)).run()
      return (await readSearchMark(pool)) >= wanted
    },
    60_000,
    'the mark has moved',
  )
}
const rowsOf = async (account: string): Promise<number> =>
  (await pool.query('select from search_keys where key = $1', [searchKey.account(digests, account)])).rowCount ?? 0

const references = async (filter: Omit<TransactionFilter, 'limit'>, limit = 100) =>
  (await listTransactions(pool, { ...filter, limit })).map((row) => row.merchantReference)
const ofAccount = (account: string) => ({ accounts: [{ account, key: searchKey.account(digests, account) }] })

async function payment(seconds: number, overrides: Parameters<typeof newTransaction>[0] = {}): Promise<string> {
  const transaction = newTransaction({
    merchantId: DEMO,
    createdAt: at(seconds),
    dailyLimit: wholeLimit(10_000_000n),
    ...overrides,
  })
  expect(await accept(transaction)).toBe('accepted')
  return transaction.merchantReference
}

const nameOf = (text: string, word: string) => ({
  name: { words: wordsOfName(text), key: searchKey.name(digests, word) },
})
const MINE = { customerName: 'Amina Akello Nakato', account: '256772999001', amount: money(1_234_500n, 'UGX') }
let mine: readonly string[]
let other: string

beforeAll(async () => {
  const one = await payment(0, MINE)
  other = await payment(1, { ...MINE, account: '256772999002', providerCode: 'airtel_ug', type: 'PAYOUT' })
  const two = await payment(30, { ...MINE, request: money(32_500n, 'USD') })
  await index(80)
  const three = await payment(90, MINE)
  mine = [three, two, one]
})

test('indexes what is old enough, in keyed digests, and only once', async () => {
  expect(await rowsOf(MINE.account)).toBe(1)
  await index(100)
  expect(await rowsOf(MINE.account)).toBe(2)
  const { rows } = await pool.query<{ text: string }>('select search_keys::text as text from search_keys')
  expect(rows.length).toBe(3 * 6 + 2)
  expect(rows.filter(({ text }) => /772999|Amina/i.test(text))).toEqual([])
})

test.each<[what: string, filter: Omit<TransactionFilter, 'limit'>, wanted: () => readonly string[]]>([
  ['an account', ofAccount(MINE.account), () => mine],
  [
    'several accounts',
    { accounts: [...ofAccount('256772999002').accounts, ...ofAccount(MINE.account).accounts] },
    () => mine.toSpliced(2, 0, other),
  ],
  ['an amount', { amounts: [money(123_450_000n, 'KES'), MINE.amount] }, () => mine.toSpliced(2, 0, other)],
  [
    'an account and an amount',
    { ...ofAccount(MINE.account), amounts: [money(32_500n, 'USD')] },
    () => mine.slice(1, 2),
  ],
  ['an amount in another currency', { amounts: [money(123_450_000n, 'KES')] }, () => []],
  ['the amount of a request', { amounts: [money(32_500n, 'USD')] }, () => mine.slice(1, 2)],
  ['a merchant and a type', { merchantId: DEMO, type: 'PAYOUT' }, () => [other]],
  ['a provider', { providerCode: 'airtel_ug' }, () => [other]],
  ['an account and a time', { ...ofAccount(MINE.account), since: at(1), until: at(90) }, () => mine.slice(1, 2)],
  ['the last word of a name', nameOf('akello NAKATO', 'nakato'), () => mine.toSpliced(2, 0, other)],
  ['other words of a name, among the newest', { name: { words: ['amina'] } }, () => mine.toSpliced(2, 0, other)],
  ['words of which a name lacks one', nameOf('nambi nakato', 'nakato'), () => []],
  ['a status that none has', { ...ofAccount(MINE.account), status: 'FAILED' }, () => []],
])('finds by %s, indexed or not yet', async (_what, filter, wanted) => {
  expect(await references(filter)).toEqual(wanted())
})

test('pages are stable while payments arrive', async () => {
  const newest = await listTransactions(pool, { ...ofAccount(MINE.account), limit: 1 })
  await payment(95, MINE)
  const after = present(newest[0], 'a payment').id
  expect(await references({ ...ofAccount(MINE.account), after }, 1)).toEqual([mine[1]])
  expect(await references({ ...ofAccount(MINE.account), after })).toEqual(mine.slice(1))
})

test('finds by the receipt of the operator, in any case', async () => {
  const [{ id } = { id: 0n }] = await listTransactions(pool, { ...ofAccount('256772999002'), limit: 1 })
  await pool.query(
    `insert into rail_references (transaction_id, rail_account, name, reference, recorded_at)
     values ($1, 'mpesa', 'order', 'QAB1', now()), ($1, 'mpesa', 'MpesaReceiptNumber', 'SGL4X9KQ2Z', now())`,
    [id],
  )
  expect(await references({ receipt: 'sgl4x9kq2z' })).toEqual([other])
  expect(await references({ receipt: 'QAB1' })).toEqual([])
})

test('waits for a payment that commits late', async () => {
  const model = await payment(500)
  const late = await pool.connect()
  await late.query('begin')
  await late.query('select pg_current_xact_id()')
  const account = '256772999003'
  await createIndexing(pool, digests, () => at(1_000)).run()
  await createIndexing(pool, digests, () => at(1_000)).run()
  await late.query(
    `insert into transactions select (jsonb_populate_record(t, jsonb_build_object('id', t.id + 16, 'account', $1::text,
       'merchant_reference', 'LATE-0001', 'internal_reference', 'LATE'))).* from transactions t
     where merchant_reference = $2`,
    [account, model],
  )
  await late.query('commit')
  late.release()
  expect(await references(ofAccount(account))).toEqual(['LATE-0001'])
  await index(1_000)
  expect(await rowsOf(account)).toBe(1)
})

test('finds a payment whose process was paused before it stored it', async () => {
  await index(1_500)
  const account = '256772999005'
  const reference = await payment(1_200, { account })
  expect(await references(ofAccount(account))).toEqual([reference])
  expect(await readSearchMark(pool)).toBeLessThan(idBound(at(1_201)))
  await index(1_500)
  expect(await references(ofAccount(account))).toEqual([reference])
  expect(await rowsOf(account)).toBe(1)
})

test('finds a payment by the account and amount that it got later', async () => {
  const reference = await payment(1_600, { account: '' })
  await index(1_700)
  const [found] = await listTransactions(pool, { prefix: reference, limit: 1 })
  const paid = { ...newTransaction(), account: '256772999006', amount: money(777_100n, 'UGX') }
  await transactionStatements(pool).saveAccount({ ...paid, id: present(found, reference).id })
  const wanted = { ...ofAccount(paid.account), amounts: [paid.amount] }
  expect(await references(wanted)).toEqual([])
  await createIndexing(pool, digests, () => at(1_700)).run()
  expect(await references(wanted)).toEqual([reference])
  expect((await pool.query('select from search_again')).rowCount).toBe(0)
})

test('a batch that fails is indexed by the next run', async () => {
  const account = '256772999004'
  await payment(2_000, { account })
  const broken: Digests = () => {
    throw new Error('the key is gone')
  }
  await expect(index(2_100, broken)).rejects.toThrow('the key is gone')
  expect(await rowsOf(account)).toBe(0)
  await index(2_100)
  expect(await rowsOf(account)).toBe(1)
})

test('a page looks at so many payments; the next one goes on below them', async () => {
  const [newest] = await listTransactions(pool, { ...ofAccount(MINE.account), until: at(40), limit: 1 })
  await pool.query('insert into search_keys select $1, $2::bigint - 16 * n from generate_series(1, 1000) n', [
    searchKey.merchant(DEMO),
    newest?.id,
  ])
  const filter = { merchantId: DEMO, type: 'PAYOUT', until: at(60) } as const
  const first = await searchPayments({ pool } as never, filter, { limit: 10 })
  expect(first).toEqual({ transactions: [], next: expect.any(String) as string })
  const second = await searchPayments({ pool } as never, filter, { limit: 10, after: first?.next })
  expect(second?.transactions.map((row) => row.merchantReference)).toEqual([other])
})
