import { createHash } from 'node:crypto'
import type { Random } from '../../domain/references.ts'
import type { Queryable } from '../../storage/pool.ts'

const TOKEN_BYTES = 32

export type TokenPurpose = 'invite' | 'reset' | 'renew' | 'passkey' | 'oidc'

/** A one-time token as it is stored. */
export interface StoredToken {
  readonly digest: Buffer
  readonly purpose: TokenPurpose
  readonly personId: bigint | undefined
  readonly detail: string | undefined
}

/** 256 random bits in characters that are valid in a cookie and in a path. */
export const newToken = (random: Random): string => Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')

/** The form in which the database knows a token: whoever reads it there cannot use it. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Stores the digest of a token. */
export const storeToken = (
  client: Queryable,
  token: string,
  { purpose, personId, detail }: { purpose: TokenPurpose; personId?: bigint | undefined; detail?: string },
  expiresAt: Date,
): Promise<unknown> =>
  client.query(
    'insert into sign_in_tokens (digest, purpose, person_id, detail, expires_at) values ($1, $2, $3, $4, $5)',
    [tokenDigest(token), purpose, personId, detail, expiresAt],
  )

interface TokenRow {
  readonly digest: Buffer
  readonly purpose: TokenPurpose
  readonly person_id: bigint | null
  readonly detail: string | null
}

const CONDITION = 'digest = $1 and purpose = any($2) and expires_at > $3'

const stored = (row: TokenRow | undefined): StoredToken | undefined =>
  row && {
    digest: row.digest,
    purpose: row.purpose,
    personId: row.person_id ?? undefined,
    detail: row.detail ?? undefined,
  }

type TokenLookup = (
  client: Queryable,
  token: string,
  purposes: readonly TokenPurpose[],
  now: Date,
) => Promise<StoredToken | undefined>

const lookup =
  (statement: string): TokenLookup =>
  async (client, token, purposes, now) =>
    stored((await client.query<TokenRow>(statement, [tokenDigest(token), purposes, now])).rows[0])

/** Finds a token that is still valid, and leaves it as it is. */
export const findToken = lookup(`select * from sign_in_tokens where ${CONDITION}`)

/** Uses a token up: of two requests with the same token, one gets it. */
export const takeToken = lookup(`delete from sign_in_tokens where ${CONDITION} returning *`)
