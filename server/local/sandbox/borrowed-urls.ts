import { inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { DEMO_MERCHANT } from './providers.ts'

// Whoever tries callbacks borrows the demo merchant's URLs for the inbox, and they must be restored whatever happens to
// the borrower. So the borrowed URL itself contains the previous URL and the end of the lease. Nothing else has to be
// stored, and a copy of the database restores it as well.

/** Where the demo merchant's callbacks go. */
interface CallbackUrls {
  readonly collection: string | undefined
  readonly payout: string | undefined
}

/** The content of a borrowed URL. */
interface UrlLease {
  readonly before: string | null
  readonly until: string
}

/** The query parameter of a borrowed URL. */
export const LOAN_PARAMETER = 'borrowed'

const loanIn = (url: string | undefined): UrlLease | undefined => {
  const text = url === undefined ? null : (URL.parse(url)?.searchParams.get(LOAN_PARAMETER) ?? null)
  return text === null ? undefined : readLoan(text)
}

function readLoan(text: string): UrlLease | undefined {
  try {
    const loan = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<UrlLease>
    const { before, until } = loan
    const isUrl = before === null || (typeof before === 'string' && URL.canParse(before))
    return isUrl && typeof until === 'string' ? { before: before ?? null, until } : undefined
  } catch {
    return undefined
  }
}

/** Whether the lease in this parameter has ended; an unreadable one has. */
export const hasEnded = (text: string, now: Date): boolean => {
  const loan = readLoan(text)
  return loan === undefined || new Date(loan.until) <= now
}

/** The callback URLs without a loan, and the end of the lease if they are borrowed. */
interface BorrowedUrls {
  readonly urls: CallbackUrls
  readonly borrowedUntil: Date | undefined
}

/** Reads the current state; restores the URLs if the lease has ended. */
export const lendingOf = (pool: Pool, now: Date): Promise<BorrowedUrls> =>
  inTransaction(pool, async (client) => {
    const urls = await readUrls(client)
    const loan = loanIn(urls.collection) ?? loanIn(urls.payout)
    const isOpen = loan !== undefined && new Date(loan.until) > now
    const before = givenBack(urls)
    if (loan && !isOpen) await writeUrls(client, before)
    return { urls: before, borrowedUntil: isOpen ? new Date(loan.until) : undefined }
  })

/** Points callbacks at the inbox, or extends the lease; a URL that already leads to the inbox does not change. */
export const borrow = (pool: Pool, inboxUrl: string, until: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    const before = givenBack(await readUrls(client))
    const lent = (url: string | undefined): string | undefined => {
      if (url === inboxUrl) return url
      const loan = JSON.stringify({ before: url ?? null, until: until.toISOString() } satisfies UrlLease)
      return `${inboxUrl}?${LOAN_PARAMETER}=${Buffer.from(loan).toString('base64url')}`
    }
    await writeUrls(client, { collection: lent(before.collection), payout: lent(before.payout) })
  })

/** Restores the previous URLs. */
export const giveBack = (pool: Pool): Promise<void> => inTransaction(pool, giveBackWith)

/** The same within a transaction. */
export async function giveBackWith(client: Queryable): Promise<void> {
  const urls = await readUrls(client)
  if (loanIn(urls.collection) ?? loanIn(urls.payout)) await writeUrls(client, givenBack(urls))
}

const beforeLoan = (url: string | undefined): string | undefined => {
  const loan = loanIn(url)
  return loan ? (loan.before ?? undefined) : url
}
const givenBack = ({ collection, payout }: CallbackUrls): CallbackUrls => ({
  collection: beforeLoan(collection),
  payout: beforeLoan(payout),
})

/** Locked until commit, so that a second borrower does not store the first one's loan as the previous URL. */
async function readUrls(client: Queryable): Promise<CallbackUrls> {
  const { rows } = await client.query<{ collection: string | null; payout: string | null }>(
    `select collection_callback_url as collection, payout_callback_url as payout
     from merchants where public_key = $1 for update`,
    [DEMO_MERCHANT.keys.publicKey],
  )
  return { collection: rows[0]?.collection ?? undefined, payout: rows[0]?.payout ?? undefined }
}

async function writeUrls(client: Queryable, { collection, payout }: CallbackUrls): Promise<void> {
  await client.query(
    'update merchants set collection_callback_url = $2, payout_callback_url = $3 where public_key = $1',
    [DEMO_MERCHANT.keys.publicKey, collection ?? null, payout ?? null],
  )
}
