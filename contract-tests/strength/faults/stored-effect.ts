import pg from 'pg'

// How faults in the database change the rows that a gateway stores.

const AT = `timestamptz '2026-03-01 08:00:00Z'`
const TOKEN = `'00000000-0000-4000-8000-000000000001'`
const work = (kind: string, attempt: number): readonly string[] => [
  `insert into jobs (kind, subject_id, due_at, attempt, token) values ('${kind}', ${-attempt}, ${AT}, ${attempt}, ${TOKEN})`,
  `update jobs set token = null, due_at = ${AT} + interval '5 minutes' where kind = '${kind}' and subject_id = ${-attempt}`,
]
/** As the gateway stores a page, an OTP, keys, usage, jobs, a failure, handshakes and a rate. */
const STEPS: readonly string[] = [
  `insert into payment_sessions values (-1, 'otp', ${AT} + interval '30 minutes', 5)`,
  `update payment_sessions set otp_sent_at = ${AT} where transaction_id = -1`,
  `insert into payment_sessions values (-2, 'otp', ${AT} + interval '30 minutes', 5)`,
  `update payment_sessions set otp_sent_at = ${AT} where transaction_id = -2`,
  `insert into idempotency_keys values (-1, 'key', '', '{}', ${AT})`,
  ...['COLLECTION', 'PAYOUT'].map((type) => `insert into limit_usage values ('mtn_ug', '${type}', '1', 1, ${AT}, 100)`),
  `insert into limit_usage values ('airtel_ug', 'COLLECTION', '1', -2, ${AT}, 100), ('airtel_ug', 'PAYOUT', '1', -2, ${AT}, 100)`,
  `delete from limit_usage where transaction_id = -2`,
  `insert into account_usage values ('1', 'open_page', 1, 1, ${AT})`,
  ...['deliverCallback', 'verifyPayout'].flatMap((kind) => [1, 2, 3].flatMap((attempt) => work(kind, attempt))),
  `insert into jobs (kind, subject_id, due_at) values ('expirePage', -9, ${AT})`,
  `update transactions set status = 'FAILED', final_at = ${AT} where id = (select min(id) from transactions where status = 'PROCESSING')`,
  ...[1, 2].map((attempt) => `insert into handshake_attempts values (-1, ${attempt}, ${AT}, 10)`),
  `insert into exchange_rates values ('EUR', 'UGX', 4321.9876, ${AT})`,
]
const TABLES = {
  payment_sessions: 'transaction_id = -1',
  idempotency_keys: 'merchant_id = -1',
  limit_usage: `account = '1'`,
  account_usage: `account = '1'`,
  jobs: 'subject_id < 0',
  transactions: `final_at between ${AT} - interval '5 days' and ${AT} + interval '5 days' and status = 'FAILED'`,
  handshake_attempts: 'transaction_id = -1',
  exchange_rates: `from_currency = 'EUR'`,
}

/** The rows after all steps, under these statements; everything is rolled back. */
export async function storedUnder(statements: readonly string[], connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query([...statements, ...STEPS].join(';'))
    const rows: unknown[] = []
    for (const [table, where] of Object.entries(TABLES)) {
      const found = await client.query(
        `select to_jsonb(t) - 'id' as row from ${table} t where ${where} order by t.*::text`,
      )
      rows.push([table, found.rows])
    }
    return JSON.stringify(rows)
  } finally {
    await client.query('rollback')
    await client.end()
  }
}
