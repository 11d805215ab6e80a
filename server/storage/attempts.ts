import type { AttemptWrites, Tried } from '../actions/ports/attempts.ts'
import type { Transaction } from '../domain/transaction.ts'
import { STATUS_MESSAGES } from '../domain/transaction.ts'
import { present } from '../domain/present.ts'
import { SESSION, toSession, type SessionRow } from './payment-sessions.ts'
import type { Queryable } from './pool.ts'
import { idBase, nextIdOf } from './time-ids.ts'
import { TRANSACTION, toTransaction, type TransactionRow } from './transaction-row.ts'

/** The attempts of a collection, oldest first. */
export async function attemptsOf(client: Queryable, collectionId: bigint): Promise<readonly Transaction[]> {
  const { rows } = await client.query<TransactionRow>({
    name: 'attempts-of',
    text: `select ${TRANSACTION.names('t')} from collection_attempts a join transactions t on t.id = a.transaction_id
           where a.collection_id = $1 order by a.number`,
    values: [collectionId],
  })
  return rows.map(toTransaction)
}

async function moveAttempt(client: Queryable, attemptId: bigint, collectionId: bigint): Promise<void> {
  await client.query({
    name: 'move-attempt',
    text: `update collection_attempts set collection_id = $2,
             number = (select coalesce(max(number), 0) + 1 from collection_attempts where collection_id = $2)
           where transaction_id = $1 and collection_id <> $2`,
    values: [attemptId, collectionId],
  })
}

/** The attempts of collections that may be tried more than once. */
export const attemptStatements = (client: Queryable): AttemptWrites => ({
  async addAttempt(collection, internalReference, now) {
    const { rows } = await client.query<TransactionRow>({
      name: 'add-attempt',
      // The collection is locked, so its next number is free.
      text: `with attempt as (
               insert into collection_attempts (transaction_id, collection_id, number)
               select ${nextIdOf('$2::bigint', 'transaction_ids')}, $1,
                 (select coalesce(max(number), 0) + 1 from collection_attempts where collection_id = $1)
               returning transaction_id
             )
             insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method,
               provider_code, account, request_currency, request_amount_minor, currency, amount_minor, charge_minor,
               total_minor, charge_customer, allow_final_status_change, customer_name, description, institution_name,
               status, status_message, created_at, traceparent)
             select a.transaction_id, t.merchant_id, t.merchant_reference, $3, 'ATTEMPT', t.method, $4, $5,
               t.request_currency, $10, t.currency, $11, $6, $7, t.charge_customer, true,
               t.customer_name, t.description, $8, 'PENDING', '${STATUS_MESSAGES.pending}', $9, t.traceparent
             from transactions t, attempt a where t.id = $1
             returning ${TRANSACTION.names()}`,
      values: [
        collection.id,
        idBase(now),
        internalReference,
        collection.providerCode,
        collection.account,
        collection.chargeMinor,
        collection.totalMinor,
        collection.institutionName,
        now,
        collection.request.amountMinor,
        collection.amount.amountMinor,
      ],
    })
    return toTransaction(present(rows[0], 'the new attempt'))
  },

  moveAttempt: (attemptId, collectionId) => moveAttempt(client, attemptId, collectionId),

  attemptsOf: (collectionId) => attemptsOf(client, collectionId),

  async lockCollectionsOf(attemptIds) {
    const { rows } = await client.query<TransactionRow & SessionRow & { attempt_id: bigint; number: number }>({
      name: 'lock-collections-of',
      text: `select a.transaction_id as attempt_id, a.number, ${TRANSACTION.names('t')}, ${SESSION.names('s')}
             from collection_attempts a join transactions t on t.id = a.collection_id
               join payment_sessions s on s.transaction_id = t.id
             where a.transaction_id = any($1) order by t.id for update of t, s`,
      values: [attemptIds],
    })
    return new Map(
      rows.map((row): [bigint, Tried] => [
        row.attempt_id,
        { number: row.number, collection: toTransaction(row), session: toSession(row) },
      ]),
    )
  },
})
