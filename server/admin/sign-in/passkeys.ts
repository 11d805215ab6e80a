import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server'
import type { Queryable } from '../../storage/pool.ts'
import type { SignInDeps } from './password-sign-in.ts'
import type { Person } from '../queries/person.ts'
import { findPerson } from './person.ts'
import { newToken, storeToken, takeToken } from './tokens.ts'

const CHALLENGE_MS = 5 * 60_000
const NAME_MAX = 60

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly usedAt: Date | undefined
}

/** Ed25519, P-256 and RSA; by default the library would also try algorithms that are experimental in Node, and warn. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey: it brings parsers of certificates along. */
const library = () => import('@simplewebauthn/server')

const rpId = ({ baseUrl }: SignInDeps): string => new URL(baseUrl()).hostname

async function newChallenge(deps: SignInDeps, personId?: bigint) {
  const challenge = newToken(deps.random)
  const expiresAt = new Date(deps.clock.now().getTime() + CHALLENGE_MS)
  await storeToken(deps.pool, challenge, { purpose: 'passkey', personId }, expiresAt)
  return { challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')), timeout: CHALLENGE_MS }
}

/** Whether we made this challenge for this person (or for anybody who signs in), and nobody used it before. */
const isOurs =
  ({ pool, clock }: SignInDeps, personId?: bigint) =>
  async (challenge: string): Promise<boolean> => {
    const token = await takeToken(pool, challenge, ['passkey'], clock.now())
    return token !== undefined && token.personId === personId
  }

/** What the browser needs to create a passkey, which the device unlocks by a PIN or biometrics. */
export async function registrationOptions(deps: SignInDeps, { id, email, name }: Person) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Malipo',
    rpID: rpId(deps),
    userID: Uint8Array.from(deps.digests('passkey user', String(id))),
    userName: email,
    userDisplayName: name,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: (await passkeysOf(deps.pool, id)).map((passkey) => ({ id: passkey.id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    ...(await newChallenge(deps, id)),
  })
}

/** The passkey that a browser has created for our challenge; undefined for any other. */
export async function createdPasskey(
  deps: SignInDeps,
  { id }: Person,
  response: RegistrationResponseJSON,
): Promise<WebAuthnCredential | undefined> {
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: isOurs(deps, id),
    expectedOrigin: deps.baseUrl(),
    expectedRPID: rpId(deps),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }))
  return registrationInfo?.credential
}

/** Stores a passkey of a person. */
export const storePasskey = (
  client: Queryable,
  personId: bigint,
  { id, publicKey, counter, transports = [] }: WebAuthnCredential,
  { name, now }: { readonly name: string; readonly now: Date },
): Promise<unknown> =>
  client.query(
    `insert into passkeys (id, person_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, personId, publicKey, counter, transports, name.slice(0, NAME_MAX), now],
  )

/** What the browser needs to offer its passkeys. Names no account: the passkey does. */
export async function authenticationOptions(deps: SignInDeps) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: rpId(deps),
    userVerification: 'required',
    ...(await newChallenge(deps)),
  })
}

interface PasskeyRow {
  readonly person_id: bigint
  readonly public_key: Buffer
  readonly counter: bigint
}

/** Whose passkey signed our challenge; undefined when none of ours did. */
export async function checkPasskey(
  deps: SignInDeps,
  response: AuthenticationResponseJSON | undefined,
): Promise<Person | undefined> {
  if (typeof response?.id !== 'string' || response.id.includes('\0')) return undefined
  const { verifyAuthenticationResponse } = await library()
  const { rows } = await deps.pool.query<PasskeyRow>(
    'select person_id, public_key, counter from passkeys where id = $1',
    [response.id],
  )
  const [row] = rows
  if (!row) return undefined
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: isOurs(deps),
    expectedOrigin: deps.baseUrl(),
    expectedRPID: rpId(deps),
    requireUserVerification: true,
    credential: { id: response.id, publicKey: Uint8Array.from(row.public_key), counter: Number(row.counter) },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) return undefined
  await deps.pool.query('update passkeys set counter = $2, used_at = $3 where id = $1', [
    response.id,
    authenticationInfo.newCounter,
    deps.clock.now(),
  ])
  return findPerson(deps.pool, row.person_id, deps.audience)
}

/** A person's passkeys, the oldest first. */
export async function passkeysOf(client: Queryable, personId: bigint): Promise<Passkey[]> {
  const { rows } = await client.query<{ id: string; name: string; created_at: Date; used_at: Date | null }>(
    'select id, name, created_at, used_at from passkeys where person_id = $1 order by created_at, id',
    [personId],
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    usedAt: row.used_at ?? undefined,
  }))
}

/** Removes a passkey, if the person has it. */
export const removePasskey = (client: Queryable, personId: bigint, id: string): Promise<unknown> =>
  client.query('delete from passkeys where person_id = $1 and id = $2', [personId, id])
