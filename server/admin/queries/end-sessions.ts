import type { Queryable } from '../../storage/pool.ts'

/** Ends a person's sessions in browsers, except one: where they ask for it, or set up another way to sign in. */
export const endSessionsOf = (client: Queryable, personId: bigint, except?: bigint): Promise<unknown> =>
  client.query('delete from sessions where person_id = $1 and id is distinct from $2', [personId, except])

/** Ends all sessions of a person, and links that they have not used: when they leave or get another role. */
export async function endSignInOf(client: Queryable, personId: bigint): Promise<void> {
  await endSessionsOf(client, personId)
  await client.query('delete from sign_in_tokens where person_id = $1', [personId])
}

/** Deletes everything that a person signs in with: an address that is given access again later brings nothing along. */
export async function removeCredentialsOf(client: Queryable, personId: bigint): Promise<void> {
  for (const table of ['passkeys', 'recovery_codes', 'sign_in_credentials'])
    await client.query(`delete from ${table} where person_id = $1`, [personId])
}
