import { hash } from 'node:crypto'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import type { Person } from './person.ts'
import { firstRowOf, rowsOf } from './rows.ts'

// What a person presents to the command line: a one-time code, and then the token of a login. Both have 256 random
// bits, so a plain digest is enough. The database knows only digests.

/** Random bytes of a code or token. */
export const TOKEN_BYTES = 32
/** How long a one-time code can be used. */
export const LOGIN_CODE_MS = 24 * 3_600_000

interface NewToken {
  readonly kind: 'login_code' | 'cli'
  readonly personId: bigint
  readonly token: string
  readonly expiresAt: Date
}

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Stores a code or token, and removes the expired ones of the person; a new code replaces the former one. */
export const storeToken = (
  pool: AuditedPool,
  { kind, personId, token, expiresAt }: NewToken,
  now: Date,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(
      `delete from person_tokens where person_id = $1 and (expires_at <= $2 or $3 = 'login_code' and kind = $3)`,
      [personId, now, kind],
    )
    await client.query(
      'insert into person_tokens (digest, person_id, kind, created_at, expires_at) values ($1, $2, $3, $4, $5)',
      [digestOf(token), personId, kind, now, expiresAt],
    )
  })

/** Uses up a one-time code. @returns whether it was valid */
export const takeLoginCode = (pool: AuditedPool, code: string, now: Date): Promise<boolean> =>
  available(
    async () =>
      (
        await pool.query(`delete from person_tokens where digest = $1 and kind = 'login_code' and expires_at > $2`, [
          digestOf(code),
          now,
        ])
      ).rowCount === 1,
  )

interface Login extends Person {
  readonly expires_at: Date
}

/** Use is noted once in this time. */
const NOTED_MS = 60_000

/** The person whose code or token it is; undefined when it has expired, or the access has ended. */
export const personOfToken = (
  pool: Pool,
  kind: NewToken['kind'],
  token: string,
  now: Date,
): Promise<Login | undefined> =>
  available(async () => {
    const login = await firstRowOf<Login & { readonly used_at: Date | null }>(
      pool,
      `select p.*, t.expires_at, t.used_at from person_tokens t join people p on p.id = t.person_id
       where t.digest = $1 and t.kind = $2 and t.expires_at > $3 and p.ended_at is null`,
      [digestOf(token), kind, now],
    )
    if (!login) return undefined
    const { used_at: usedAt, ...person } = login
    if (kind === 'cli' && now.getTime() - (usedAt?.getTime() ?? 0) > NOTED_MS)
      await pool.query('update person_tokens set used_at = $2 where digest = $1', [digestOf(token), now])
    return person
  })

/** A token that a person made for a program, or a login of the command line. */
export interface OpenToken {
  /** Names it in a form; it opens nothing. */
  readonly digest: string
  /** Null for a login of the command line. */
  readonly name: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly used_at: Date | null
}

/** A person has no more of them at once. */
export const TOKENS_MAX = 20

/** The tokens of a person that are still valid, the newest first. */
export const tokensOf = (client: Queryable, personId: bigint, now: Date): Promise<OpenToken[]> =>
  rowsOf<OpenToken>(
    client,
    `select encode(digest, 'hex') as digest, name, created_at, expires_at, used_at from person_tokens
           where person_id = $1 and kind = 'cli' and expires_at > $2 order by created_at desc, digest limit 100`,
    [personId, now],
  )

/** Stores a token for a program. Call it in the transaction that the audit log records. */
export const addProgramToken = (
  client: Queryable,
  { personId, name, token, expiresAt }: Omit<NewToken, 'kind'> & { readonly name: string },
  now: Date,
): Promise<unknown> =>
  client.query(
    `insert into person_tokens (digest, person_id, kind, created_at, expires_at, name) values ($1, $2, 'cli', $3, $4, $5)`,
    [digestOf(token), personId, now, expiresAt, name],
  )

/** Ends one token of a person. @param digest as `tokensOf` returns it */
export const endTokenOf = (client: Queryable, personId: bigint, digest: string): Promise<unknown> =>
  client.query(`delete from person_tokens where person_id = $1 and digest = decode($2, 'hex') and kind = 'cli'`, [
    personId,
    digest,
  ])

/** Ends one login. */
export const endToken = (pool: AuditedPool, token: string): Promise<unknown> =>
  available(() => pool.query('delete from person_tokens where digest = $1', [digestOf(token)]))

/** Ends all logins of a person, and a code that was not used yet. */
export const endTokensOf = (client: Queryable, personId: bigint): Promise<unknown> =>
  client.query('delete from person_tokens where person_id = $1', [personId])
