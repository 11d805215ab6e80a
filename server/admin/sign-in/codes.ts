import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import type { Random } from '../../domain/references.ts'
import type { Digests } from '../../storage/digests.ts'
import type { Queryable } from '../../storage/pool.ts'
import { tokenDigest } from './tokens.ts'

const STEP_MS = 30_000
const SECRET_BYTES = 20

/**
 * The secret of an authenticator app is derived from a random seed by the digest key, which is sealed by the master
 * key: a copy of the database computes no codes, and a new master key changes none.
 */
const totpOf = (digests: Digests, seed: Uint8Array, label = ''): TOTP => {
  const secret = digests('totp', Buffer.from(seed).toString('base64url')).subarray(0, SECRET_BYTES)
  return new TOTP({ issuer: 'Malipo', label, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })
}

/** What an authenticator app needs: the secret to type, and the address in the QR code. */
export function enrolment(digests: Digests, seed: Uint8Array, label: string) {
  const totp = totpOf(digests, seed, label)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/**
 * The time step of a right code; undefined for a wrong one. Clocks may differ by half a minute; the codes of steps up
 * to `after` were used already.
 */
export function stepOf(
  digests: Digests,
  seed: Uint8Array,
  { code, now, after }: { readonly code: string; readonly now: Date; readonly after: number },
): number | undefined {
  const delta = totpOf(digests, seed).validate({ token: code, timestamp: now.getTime(), window: 1 })
  const step = Math.floor(now.getTime() / STEP_MS) + (delta ?? 0)
  return delta === null || step <= after ? undefined : step
}

/** A QR code as SVG: one path, dark on white also in a dark page, because many scanners read no other. */
export function qrCode(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return `<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code for an authenticator app" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`
}

const RECOVERY_CODES = 8
/** 24 characters of 5 bits: with 120 bits a plain digest is enough. */
const CODE_CHARACTERS = 24
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const plain = (code: string): string => code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')

/** Replaces a person's recovery codes. @returns the new ones, in groups of four; they are shown once */
export async function renewRecoveryCodes(client: Queryable, personId: bigint, random: Random): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    [...random.bytes(CODE_CHARACTERS)].map((byte) => ALPHABET[byte & 31]).join(''),
  )
  await client.query('delete from recovery_codes where person_id = $1', [personId])
  await client.query('insert into recovery_codes (person_id, digest) select $1, unnest($2::bytea[])', [
    personId,
    codes.map(tokenDigest),
  ])
  return codes.map((code) => code.replaceAll(/.{4}(?=.)/g, '$&-'))
}

/** Uses a recovery code up. @returns whether it was one */
export async function takeRecoveryCode(client: Queryable, personId: bigint, code: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from recovery_codes where person_id = $1 and digest = $2', [
    personId,
    tokenDigest(plain(code)),
  ])
  return rowCount === 1
}
