import type { Lookups, Payment, Wallet } from '../actions/ports/lookups.ts'
import type { Transaction } from '../domain/transaction.ts'
import { attemptsOf } from './attempts.ts'
import { coalesce } from './coalesce.ts'
import { available, type Pool } from './pool.ts'
import { SESSION, toSession, type SessionRow } from './payment-sessions.ts'
import { SHOWN, toShown, type TransactionViewRow } from './transaction-row.ts'
import { railReferenceStatements } from './rail-references.ts'
import { idsOfReference } from './transactions.ts'

interface ReferenceLookup {
  readonly merchantId: bigint
  readonly merchantReference: string
}

const BATCH_MAX = 64
/** While two batches wait for the database, further lookups gather: a batch costs little more than a single lookup. */
const RUNS_MAX = 2
const WAIT_MS = 5_000

async function findTransactions(pool: Pool, queried: readonly ReferenceLookup[]): Promise<(Transaction | undefined)[]> {
  const { rows } = await pool.query<TransactionViewRow & { readonly n: bigint }>({
    name: 'verify',
    text: `select a.n, ${SHOWN}
           from unnest($1::bigint[], $2::text[]) with ordinality as a(merchant_id, merchant_reference, n)
           join transaction_references r using (merchant_id, merchant_reference)
           join transactions t on t.id = r.transaction_id`,
    values: [queried.map(({ merchantId }) => merchantId), queried.map(({ merchantReference }) => merchantReference)],
  })
  const found = new Map(rows.map((row) => [Number(row.n), toShown(row)]))
  return queried.map((_, index) => found.get(index + 1))
}

const PAYMENT = `
  select ${SHOWN}, t.description, t.redirect_url, ${SESSION.names('s')}, (
    select sum(x.amount_minor)::bigint from refunds r join transactions x on x.id = r.transaction_id
    where r.collection_id = t.id and x.status = 'COMPLETED') as refunded_minor
  from transactions t left join payment_sessions s on s.transaction_id = t.id
  where t.internal_reference = $1`

/** Coalesces concurrent lookups into one statement. All methods reject with StorageUnavailable. */
export const createLookups = (pool: Pool): Lookups => ({
  transactionByMerchantReference: coalesceFind(pool),

  isArchived: (merchantId, merchantReference) =>
    available(async () => {
      // One snapshot: a payment is committed together with its reference.
      const { rowCount } = await pool.query({
        name: 'is-archived',
        text: `select from transaction_references r where r.merchant_id = $1 and r.merchant_reference = $2
                 and not exists (select from transactions t where t.id = r.transaction_id)`,
        values: [merchantId, merchantReference],
      })
      return rowCount !== 0
    }),

  payment: (internalReference) =>
    available(async () => {
      const { fromId, untilId } = idsOfReference(internalReference)
      const { rows } = await pool.query<PaymentRow>({
        name: 'payment',
        text: `${PAYMENT} and t.id >= $2 and t.id < $3`,
        values: [internalReference, fromId, untilId],
      })
      // References from older versions carry no time.
      const [row] =
        rows.length > 0
          ? rows
          : (await pool.query<PaymentRow>({ name: 'payment-anywhere', text: PAYMENT, values: [internalReference] }))
              .rows
      return row && withLastAttempt(pool, toPayment(row))
    }),

  externalIds: (transactionId) =>
    available(async () => {
      const { railReferences } = railReferenceStatements(pool)
      const own = (await railReferences([transactionId])).get(transactionId)
      if (own) return own.externalIds
      const paying = await payingAttemptOf(pool, transactionId)
      return (paying !== undefined && (await railReferences([paying])).get(paying)?.externalIds) || {}
    }),

  wallets: (merchantId, currency) =>
    available(async () => {
      const { rows } = await pool.query<WalletRow>({
        name: 'wallets',
        text: `
        select split_part(kind, '_', 1) as purpose, currency,
          sum(balance_minor) filter (where kind like '%available')::bigint as available_minor,
          sum(balance_minor) filter (where kind like '%uncleared')::bigint as uncleared_minor,
          sum(balance_minor) filter (where kind like '%reserve')::bigint as reserve_minor
        from accounts where merchant_id = $1 and ($2::text is null or currency = $2)
        group by 1, 2 order by 2, 1`,
        values: [merchantId, currency],
      })
      return rows.map(toWallet)
    }),
})

function coalesceFind(pool: Pool): Lookups['transactionByMerchantReference'] {
  const find = coalesce<ReferenceLookup, Transaction | undefined>({
    batchMax: BATCH_MAX,
    runsMax: RUNS_MAX,
    waitMs: WAIT_MS,
    run: (queried) => available(() => findTransactions(pool, queried)),
  })
  return (merchantId, merchantReference) => find({ merchantId, merchantReference })
}

async function withLastAttempt(pool: Pool, payment: Payment): Promise<Payment> {
  if (payment.session?.awaits !== 'retry') return payment
  const lastAttempt = (await attemptsOf(pool, payment.transaction.id)).at(-1)
  return { ...payment, ...(lastAttempt && { lastAttempt }) }
}

/** A collection that one of its attempts has paid has no order of its own. */
async function payingAttemptOf(pool: Pool, collectionId: bigint): Promise<bigint | undefined> {
  const { rows } = await pool.query<{ id: bigint }>({
    name: 'paying-attempt',
    text: `select t.id from transactions c join collection_attempts a on a.collection_id = c.id
             join transactions t on t.id = a.transaction_id
           where c.id = $1 and t.rail_order_id = c.rail_order_id`,
    values: [collectionId],
  })
  return rows[0]?.id
}

type PaymentRow = TransactionViewRow & {
  readonly description: string
  readonly redirect_url: string | null
  readonly refunded_minor: bigint | null
} & (SessionRow | { readonly awaits: null })

const toPayment = (row: PaymentRow): Payment => ({
  transaction: toShown(row),
  ...(row.awaits !== null && { session: toSession(row) }),
  ...(row.refunded_minor !== null && { refundedMinor: row.refunded_minor }),
  description: row.description,
  ...(row.redirect_url !== null && { redirectUrl: row.redirect_url }),
})

interface WalletRow {
  readonly purpose: 'collection' | 'payout'
  readonly currency: string
  readonly available_minor: bigint | null
  readonly uncleared_minor: bigint | null
  readonly reserve_minor: bigint | null
}

const toWallet = (row: WalletRow): Wallet => ({
  type: row.purpose === 'collection' ? 'MERCHANT_COLLECTION' : 'MERCHANT_PAYOUT',
  currency: row.currency,
  availableMinor: row.available_minor ?? 0n,
  unclearedMinor: row.uncleared_minor ?? 0n,
  reserveMinor: row.reserve_minor ?? 0n,
})
