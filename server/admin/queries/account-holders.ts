import {
  HOLDER_ANSWER_MS,
  HOLDER_QUERIES_KEPT_MS,
  QUERIES_PER_ACCOUNT_MAX,
  type AccountHolder,
  type AccountHolderQueries,
  type HolderClaim,
  type HolderWish,
} from '../../actions/ports/account-holders.ts'
import { maskAccount } from '../../domain/phone.ts'
import { present } from '../../domain/present.ts'
import type { Digests } from '../../storage/digests.ts'
import { coalesce } from '../../storage/coalesce.ts'
import { lockLimits } from '../../storage/limits.ts'
import { available, inTransaction, isUnavailable, type Pool, type Queryable } from '../../storage/pool.ts'
import { holderAnswer } from '../../storage/sealed-places.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { appendEntry } from './audit-log.ts'

/** The name of the audit entries. */
const HOLDER_COMMAND = 'account-holder'

const BATCH_MAX = 32
const WAITING_MAX = 1_000

/** Counts under a lock per merchant: of concurrent queries none goes over a limit. */
export function createAccountHolderQueries(pool: Pool, box: SecretBox, digests: Digests): AccountHolderQueries {
  /** Answers that cannot be opened, after a change of the master key, count as none. */
  function opened({ id, sealed_answer: sealed }: AnswerRow): AccountHolder | undefined {
    if (!box.isCurrent(sealed)) return undefined
    const holder = JSON.parse(box.open(sealed, holderAnswer(id))) as AccountHolder
    return { ...holder, checkedAt: new Date(holder.checkedAt) }
  }

  async function claimed(client: Queryable, wish: HolderWish, now: Date): Promise<HolderClaim> {
    const { merchant, providerCode, account, perDayMax } = wish
    const key = [merchant.id, digests('account holder', `${merchant.id} ${providerCode} ${account}`)] as const
    const answer = await lastAnswer(client, key, before(now, HOLDER_ANSWER_MS))
    const holder = answer && opened(answer)
    if (holder) return { claim: 'known', holder }
    const limits = [
      await oldestOf(client, key[0], undefined, perDayMax, now),
      await oldestOf(client, ...key, QUERIES_PER_ACCOUNT_MAX, now),
    ]
    for (const [index, oldest] of limits.entries())
      if (oldest)
        return {
          claim: 'too_many',
          of: index === 0 ? 'merchant' : 'account',
          until: new Date(oldest.getTime() + HOLDER_QUERIES_KEPT_MS),
        }
    const { rows } = await client.query<{ id: bigint }>(
      'insert into account_holder_queries (merchant_id, account_digest, asked_at) values ($1, $2, $3) returning id',
      [...key, now],
    )
    await appendEntry(client, entryOf(wish, now))
    return { claim: 'ask', id: present(rows[0], 'the id of a query').id }
  }

  // On one connection: a merchant that asks for a thousand at once must not take those of payments.
  const claim = coalesce<{ readonly wish: HolderWish; readonly now: Date }, HolderClaim>({
    batchMax: BATCH_MAX,
    runsMax: 1,
    waitingMax: WAITING_MAX,
    run: (wishes) =>
      inTransaction(pool, async (client) => {
        await lockLimits(
          client,
          wishes.map(({ wish }) => `account holders of ${wish.merchant.id}`),
        )
        const claims: HolderClaim[] = []
        for (const { wish, now } of wishes) claims.push(await claimed(client, wish, now))
        return claims
      }),
    splitOn: (error) => !isUnavailable(error),
  })

  return {
    claim: (wish, now) => claim({ wish, now }),
    keep: (id, holder) =>
      available(async () => {
        const sealed = box.seal(JSON.stringify(holder), holderAnswer(id))
        await pool.query('update account_holder_queries set sealed_answer = $2 where id = $1', [id, sealed])
      }),
  }
}

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

interface AnswerRow {
  readonly id: bigint
  readonly sealed_answer: Uint8Array
}

async function lastAnswer(
  client: Queryable,
  key: readonly [merchantId: bigint, digest: Uint8Array],
  since: Date,
): Promise<AnswerRow | undefined> {
  const { rows } = await client.query<AnswerRow>(
    `select id, sealed_answer from account_holder_queries
     where merchant_id = $1 and account_digest = $2 and asked_at > $3 and sealed_answer is not null
     order by asked_at desc limit 1`,
    [...key, since],
  )
  return rows[0]
}

/** When the oldest query was made of those that use up a limit; undefined when one more fits. */
async function oldestOf(
  client: Queryable,
  merchantId: bigint,
  digest: Uint8Array | undefined,
  max: number,
  now: Date,
): Promise<Date | undefined> {
  const { rows } = await client.query<{ asked_at: Date }>(
    `select asked_at from account_holder_queries
     where merchant_id = $1 and asked_at > $2 ${digest ? 'and account_digest = $4' : ''}
     order by asked_at desc offset $3 limit 1`,
    [merchantId, before(now, HOLDER_QUERIES_KEPT_MS), max - 1, ...(digest ? [digest] : [])],
  )
  return rows[0]?.asked_at
}

const entryOf = ({ merchant, providerCode, account }: HolderWish, at: Date) => ({
  at,
  actor_kind: 'api',
  actor: merchant.publicKey,
  role: null,
  person_id: null,
  address: null,
  command: HOLDER_COMMAND,
  subject: `${providerCode} ${maskAccount(account)}`,
  merchant_id: merchant.id,
  old: {},
  new: {},
  reason: null,
  reference: null,
  request_id: null,
})
