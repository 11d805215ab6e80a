import { amountsMeant } from '../../domain/amounts-meant.ts'
import { storedForms } from '../../domain/phone.ts'
import type { Clock } from '../../actions/ports/clock.ts'
import type { Random } from '../../domain/references.ts'
import { openDigests, type Digests } from '../../storage/digests.ts'
import type { Pool } from '../../storage/pool.ts'
import { searchKey, wordsOfName } from '../../storage/search.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { lowestLookedAt, mayPassFew } from './looked-at.ts'
import {
  callingCodes,
  idOf,
  listTransactions,
  paymentCurrencies,
  type StaffTransaction,
  type TransactionFilter,
} from './transactions.ts'

export type PaymentFilter = Omit<TransactionFilter, 'limit' | 'after'>

interface SearchDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly random: Random
  readonly secretBox: () => Promise<SecretBox>
}

/** The search rows have digests of account numbers and names, made with the key that the server's master key opens. */
const digestsOf = async ({ pool, secretBox, random, clock }: SearchDeps): Promise<Digests> =>
  openDigests(pool, await secretBox(), random, clock.now())

/** The account numbers that somebody may mean; none if the text is no number. */
export async function accountsMeant(deps: SearchDeps, text: string): Promise<NonNullable<PaymentFilter['accounts']>> {
  const forms = storedForms(await callingCodes(deps.pool), text)
  if (forms.length === 0) return []
  const digests = await digestsOf(deps)
  return forms.map((account) => ({ account, key: searchKey.account(digests, account) }))
}

/** What a text may be, the most exact first. */
const READINGS = ['reference', 'account', 'amount', 'name'] as const
type Reading = (typeof READINGS)[number]

/** The filter of a reading; undefined if the text cannot be that. */
async function filterOf(deps: SearchDeps, reading: Reading, text: string): Promise<PaymentFilter | undefined> {
  if (reading === 'reference') return { reference: text }
  if (reading === 'account') {
    const accounts = /\d{3}/.test(text) ? await accountsMeant(deps, text) : []
    return accounts.length === 0 ? undefined : { accounts }
  }
  if (reading === 'amount') {
    const amounts = amountsMeant(text, await paymentCurrencies(deps.pool))
    return amounts.length === 0 ? undefined : { amounts }
  }
  const words = wordsOfName(text)
  const last = words.at(-1)
  return last === undefined ? undefined : { name: { words, key: searchKey.name(await digestsOf(deps), last) } }
}

interface PaymentPage {
  readonly transactions: readonly StaffTransaction[]
  /** The cursor of the next page; absent on the last one. A page may have few payments, or none, although others follow. */
  readonly next?: string
}

interface PageRequest {
  /** What somebody knows of the payment: any reference, a number, an amount, words of a name. */
  readonly text?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

/** By a name: of all payments those whose name ends in the word, and of the newest ones those with any of the words. */
async function listNamed(pool: Pool, filter: TransactionFilter): Promise<readonly StaffTransaction[]> {
  const { name, limit } = filter
  const found = await listTransactions(pool, filter)
  if (!name) return found
  const newest = await listTransactions(pool, { ...filter, name: { words: name.words } })
  const byId = new Map([...found, ...newest].map((one) => [one.id, one]))
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
}

/**
 * A page of payments, the newest first. The first reading of the text that finds something decides; the cursor names
 * it, so the next pages read the text the same way.
 * @returns undefined for a cursor that no page returned
 */
export async function searchPayments(
  deps: SearchDeps,
  filter: PaymentFilter,
  { text, after, limit }: PageRequest,
): Promise<PaymentPage | undefined> {
  const [, reading, id = ''] = /^(?:([a-z]+):)?(\d{1,18})$/.exec(after ?? '') ?? []
  if (after !== undefined && (idOf(id) === undefined || (reading === undefined) !== (text === undefined)))
    return undefined
  const page = async (named: PaymentFilter, prefix = ''): Promise<PaymentPage> => {
    const all = { ...filter, ...named, after: idOf(id) }
    const lowest = mayPassFew(all) ? await lowestLookedAt(deps.pool, all) : undefined
    const found = await listNamed(deps.pool, { ...all, lowest, limit: limit + 1 })
    const transactions = found.slice(0, limit)
    const last = found.length > limit ? transactions.at(-1)?.id : lowest
    return { transactions, ...(last !== undefined && { next: `${prefix}${last}` }) }
  }
  if (text === undefined) return page({})
  for (const tried of READINGS.filter((one) => reading === undefined || one === reading)) {
    const named = await filterOf(deps, tried, text.trim())
    // An amount that somebody looks for may be one of its own.
    const found = named && (named.amounts && filter.amounts ? undefined : await page(named, `${tried}:`))
    if (found && (found.transactions.length > 0 || found.next !== undefined)) return found
  }
  return { transactions: [] }
}
