import type { MerchantLists } from '../../../actions/ports/merchant-lists.ts'
import { money } from '../../../domain/money.ts'
import { present } from '../../../domain/present.ts'
import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { numberEvents } from '../../../storage/merchant-events.ts'
import { searchKey } from '../../../storage/search.ts'
import { digests, LAST, manyPayments, QUIET } from '../../../storage/testing/many-payments.ts'
import { watchCosts } from '../../../storage/testing/statement-costs.ts'
import type { TestDatabase } from '../../../verification/testing/database.ts'
import { listApprovals } from '../approvals.ts'
import { listAuditLog } from '../audit-log.ts'
import { failingCallbackUrls } from '../callback-health.ts'
import { listCallbacks } from '../callbacks.ts'
import { countDays } from '../day-figures.ts'
import { listExchanges } from '../exchanges.ts'
import { lowestLookedAt, mayPassFew } from '../looked-at.ts'
import { createMerchantLists } from '../merchant-lists.ts'
import { findMerchant, findMerchants } from '../merchants.ts'
import { railAccountFigures } from '../rail-account-figures.ts'
import { listRailAccounts } from '../rail-accounts.ts'
import { readBalances, readBalanceTotals, readVolumes } from '../reports.ts'
import { listExceptions } from '../statements/end-exception.ts'
import { listStuck } from '../stuck-transactions.ts'
import { timelineOf } from '../timeline.ts'
import { readAttention, readDays } from '../today.ts'
import { findTransactions, listTransactions, type TransactionFilter } from '../transactions.ts'
import { merchantWallets } from '../wallets.ts'

// What the pages of staff and merchants read, in pages of PostgreSQL.

export const GROWTH_MAX = 1.2
/** An index may have a level more, in each of the months that a page reads. */
export const LEVELS = 8
const LIMIT = 51
/** So few that each has payments every day: reports by merchant grow with their number. Prime, as n has other patterns. */
const MERCHANTS = 97
const DAY_MS = 24 * 3_600_000
const NOW = new Date(LAST.getTime() - DAY_MS)
const ACCOUNT = '256700000007'
const account = { account: ACCOUNT, key: searchKey.account(digests, ACCOUNT) }
const before = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS)

const SEARCHES: Readonly<Record<string, Omit<TransactionFilter, 'limit'>>> = {
  Payments: {},
  'Payments, PENDING': { status: 'PENDING' },
  'Payments, PROCESSING': { status: 'PROCESSING' },
  'Payments, COMPLETED': { status: 'COMPLETED' },
  'Payments of a merchant': { merchantId: 1007n },
  'Payments of a merchant who has few': { merchantId: QUIET },
  'Payments of a provider': { providerCode: 'mtn_ug' },
  'Payments, collections': { type: 'COLLECTION' },
  'Payments, FAILED: none': { status: 'FAILED' },
  'Payments, refunds: none': { type: 'REFUND' },
  'Payments of a provider, payouts: none': { providerCode: 'mtn_ug', type: 'PAYOUT' },
  'Payments of a week': { since: before(107), until: before(100) },
  'Search by account': { accounts: [account] },
  'Search by amount': { amounts: [money(507n, 'UGX')] },
  // None of the account's payments has this amount; one of 500 others has it.
  'Search by account and amount': { accounts: [account], amounts: [money(505n, 'UGX')] },
  'Search by receipt': { receipt: 'R7' },
  'Search by reference': { reference: 'MLP7' },
  'Search by name': { name: { words: ['amina', 'nakato8'], key: searchKey.name(digests, 'nakato8') } },
  'Search by another word of a name': { name: { words: ['nobody'] } },
}

const ANY = { transactionIds: undefined, merchantId: undefined, status: undefined, limit: LIMIT }

type Pages = Readonly<Record<string, () => Promise<unknown>>>

/** Pages and what they read, besides searches. Figures are remembered for each pool: theirs is another one each time. */
const staffPagesOf = (pool: AuditedPool): Pages => {
  const afresh = () => ({ query: pool.query.bind(pool) }) as typeof pool
  const one = async () => present((await listTransactions(pool, { receipt: 'R7', limit: 1 }))[0], 'a payment')
  const days = { since: before(30), until: NOW }
  return {
    'Today, what needs a person': () => readAttention(pool, undefined, NOW),
    'Today, figures of 14 days': () => readDays(afresh(), undefined, NOW),
    'Today of a merchant who has few': () => readDays(afresh(), QUIET, NOW),
    'Payments that need a person': () => listStuck(pool, { before: NOW, merchantId: undefined, limit: LIMIT }),
    async 'a payment'() {
      const [payment] = await findTransactions(pool, (await one()).internalReference, undefined)
      await timelineOf(pool, present(payment, 'the payment'))
      await listCallbacks(pool, { ...ANY, transactionIds: [(await one()).id] })
      await listExchanges(pool, { orderId: 'none', limit: LIMIT })
    },
    Callbacks: () => listCallbacks(pool, ANY),
    'Callbacks, to be tried again': () =>
      listCallbacks(pool, { ...ANY, status: 'PENDING', isAttempted: true, since: before(7) }),
    'Callbacks that failed, of 7 days': () =>
      listCallbacks(pool, { ...ANY, status: 'STOPPED', isAttempted: true, since: before(7) }),
    'Callbacks of a merchant': () => listCallbacks(pool, { ...ANY, merchantId: 1007n }),
    Approvals: () => listApprovals(pool, { ofMerchant: undefined, all: true, limit: LIMIT }),
    Reconciliation: () => listExceptions(pool, { railAccount: undefined, kind: undefined, state: 'all', limit: LIMIT }),
    'Audit log': () => listAuditLog(pool, { limit: LIMIT }),
    Merchants: () => findMerchants(pool, { text: undefined, after: undefined, limit: LIMIT, sandbox: true }),
    async 'a merchant'() {
      const merchant = present(await findMerchant(pool, 'pub_1007'), 'the merchant')
      await merchantWallets(pool, merchant.id)
      await failingCallbackUrls(pool, { ...merchant, collection_callback_url: 'https://shop.example' }, NOW)
    },
    async Rails() {
      await railAccountFigures(pool, 1_000, 5_000)
      await listRailAccounts(pool)
    },
    async 'Reports, Balances'() {
      await readBalanceTotals(pool, true)
      await readBalances(pool, true, { after: 0n, limit: LIMIT })
    },
    'Reports, 30 days': () => readVolumes(pool, { ...days, merchantId: undefined }, ['day', 'status']),
    'Reports, 30 days by merchant': () => readVolumes(pool, { ...days, merchantId: undefined }, ['merchant']),
    'Reports of a merchant who has few': () => readVolumes(pool, { ...days, merchantId: QUIET }, ['day', 'status']),
  }
}

const listsOf = (lists: MerchantLists, merchant: bigint, whose: string): Pages => ({
  [`Transactions ${whose}`]: () => lists.transactions(merchant, { limit: LIMIT }),
  [`Transactions that failed ${whose}`]: () => lists.transactions(merchant, { status: 'FAILED', limit: LIMIT }),
  [`Transactions of a type ${whose}`]: () => lists.transactions(merchant, { type: 'PAYOUT', limit: LIMIT }),
  [`Transactions of a provider ${whose}`]: () => lists.transactions(merchant, { providerCode: 'mtn_ug', limit: LIMIT }),
  [`Transactions with a prefix ${whose}`]: () => lists.transactions(merchant, { prefix: 'none', limit: LIMIT }),
  [`Transactions of a period ${whose}`]: () =>
    lists.transactions(merchant, { from: before(300), to: before(200), limit: LIMIT }),
  [`Events ${whose}`]: () => lists.events(merchant, { limit: 100 }),
  [`Events after a number ${whose}`]: () => lists.events(merchant, { after: 50n, limit: 100 }),
  [`Events from a time on ${whose}`]: () => lists.events(merchant, { from: before(100), limit: 100 }),
})

const merchantPagesOf = (pool: AuditedPool): Pages => {
  const lists = createMerchantLists(pool)
  return {
    'Statement of a merchant who has few': () =>
      lists.statement(QUIET, {
        purpose: 'collection',
        currency: 'UGX',
        from: before(60),
        to: before(30),
        entriesMax: 500,
      }),
    ...listsOf(lists, QUIET, 'of a merchant who has few'),
    ...listsOf(lists, 1007n, 'of a merchant'),
  }
}

/** As `searchPayments` reads it. */
const page = async (pool: AuditedPool, filter: Omit<TransactionFilter, 'limit'>) => {
  const lowest = mayPassFew(filter) ? await lowestLookedAt(pool, filter) : undefined
  return listTransactions(pool, { ...filter, lowest, limit: LIMIT })
}

const pagesOf = (pool: AuditedPool): Pages => ({
  ...staffPagesOf(pool),
  ...merchantPagesOf(pool),
  ...Object.fromEntries(Object.entries(SEARCHES).map(([name, filter]) => [name, () => page(pool, filter)])),
})

/** As if the last days were over for the database, and numbers the events. */
async function countOver(pool: AuditedPool): Promise<void> {
  await pool.query('truncate day_changes')
  await pool.query(`insert into day_figures (day) select generate_series($1::date, $2::date, '1 day')`, [
    before(31),
    before(1),
  ])
  do await countDays(pool)
  while ((await pool.query('select from day_figures where by_merchant is null')).rowCount !== 0)
  do await numberEvents(pool)
  while ((await pool.query('select from unnumbered_callbacks limit 1')).rowCount === 1)
  await pool.query('vacuum analyze day_figures, merchant_events')
}

/**
 * Stores so many payments, then so many, and counts what each page reads of both.
 * @param pool with one connection
 */
export async function pageReads(
  pool: AuditedPool,
  connection: TestDatabase['connection'],
  counts: readonly [number, number],
): Promise<ReadonlyMap<string, readonly [number, number]>> {
  const costsOf = watchCosts(pool)
  const { store } = await manyPayments(pool, connection)
  const reads: Map<string, number>[] = []
  for (const count of counts) {
    await store(count, true, MERCHANTS)
    await countOver(pool)
    const read = new Map<string, number>()
    for (const [name, show] of Object.entries(pagesOf(pool))) {
      const costs = await costsOf('force_custom_plan', show)
      read.set(
        name,
        costs.values().reduce((sum, { buffers }) => sum + buffers, 0),
      )
    }
    reads.push(read)
  }
  const [few, many] = reads.map((read) => [...read])
  return new Map(few?.map(([name, pages], n) => [name, [pages, many?.[n]?.[1] ?? Infinity]]))
}
