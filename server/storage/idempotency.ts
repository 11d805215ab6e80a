import type { AcceptedOutcome, FirstOutcome, IdempotencyClaim, IdempotencyStore, Unit } from '../actions/ports.ts'
import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency.ts'
import type { RefusalCode } from '../domain/refusal.ts'
import { available, type Pool, type Queryable } from './pool.ts'
import { jsonRows } from './rows.ts'
import { idempotencyRefusal } from './sealed-places.ts'
import { isWrongMasterKey, type SecretBox } from './secret-box.ts'

/** An outcome in its table. A refusal's message repeats what was sent, which may be anything, a card number included: it is sealed. */
type StoredOutcome = AcceptedOutcome | { readonly result: 'refused'; readonly code: RefusalCode; readonly sealedMessage: string }

export const createIdempotencyStore = (pool: Pool, box: SecretBox): IdempotencyStore => ({
  find: (claim, since) => available(async () => {
    const { rows: [row] } = await pool.query<{ request_digest: Uint8Array; outcome: StoredOutcome }>(
      'select request_digest, outcome from idempotency_keys where merchant_id = $1 and key = $2 and created_at > $3', [claim.merchantId, claim.key, since])
    const outcome = row && unsealed(claim, row.outcome, box)
    if (row && !outcome) await forget(pool, claim)
    return row && outcome && { digest: row.request_digest, outcome }
  }),
  remember: (claim, outcome, now) => available(() => rememberOutcome(pool, claim, sealed(claim, outcome, box), now)),
})

function sealed(claim: IdempotencyClaim, outcome: FirstOutcome, box: SecretBox): StoredOutcome {
  if (outcome.result === 'accepted') return outcome
  const { message, ...rest } = outcome
  return { ...rest, sealedMessage: box.seal(message, idempotencyRefusal(claim)).toString('base64') }
}

/** Undefined: a refusal of the time before a new master key. It executed nothing, so the request is judged anew. */
function unsealed(claim: IdempotencyClaim, outcome: StoredOutcome, box: SecretBox): FirstOutcome | undefined {
  if (outcome.result === 'accepted') return outcome
  const { sealedMessage, ...rest } = outcome
  try {
    return { ...rest, message: box.open(Buffer.from(sealedMessage, 'base64'), idempotencyRefusal(claim)) }
  } catch (error) {
    if (isWrongMasterKey(error)) return undefined
    throw error
  }
}

const forget = (pool: Pool, { merchantId, key }: IdempotencyClaim) =>
  pool.query(`delete from idempotency_keys where merchant_id = $1 and key = $2 and outcome ->> 'result' = 'refused'`, [merchantId, key])

export const idempotencyStatements = (client: Queryable): Pick<Unit, 'rememberOutcome'> => ({
  rememberOutcome: (claim, outcome, now) => rememberOutcome(client, claim, outcome, now),
})

async function rememberOutcome(client: Queryable, claim: IdempotencyClaim, outcome: StoredOutcome, now: Date): Promise<void> {
  await client.query(INSERT_KEYS, [jsonRows([keyRow(claim, outcome, now)]), new Date(now.getTime() - IDEMPOTENCY_WINDOW_MS)])
}

export const keyRow = (claim: IdempotencyClaim, outcome: StoredOutcome, now: Date) =>
  ({ merchant_id: claim.merchantId, key: claim.key, request_digest: `\\x${Buffer.from(claim.digest).toString('hex')}`, outcome, created_at: now })

// A key older than the window is free again; a fresh one stays with its first outcome. No key may come twice: one statement cannot update a row twice.
export const INSERT_KEYS = `
  insert into idempotency_keys as k (merchant_id, key, request_digest, outcome, created_at)
  select merchant_id, key, request_digest, outcome, created_at
  from json_to_recordset($1) as r(merchant_id bigint, key text, request_digest bytea, outcome json, created_at timestamptz)
  order by merchant_id, key
  on conflict (merchant_id, key) do update set request_digest = excluded.request_digest, outcome = excluded.outcome, created_at = excluded.created_at
  where k.created_at <= $2
  returning merchant_id, key`
