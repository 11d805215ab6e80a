import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { isSameBytes } from '../../domain/same-bytes.ts'
import type { Random } from '../../domain/references.ts'

export const PASSWORD_MIN = 12
export const PASSWORD_MAX = 128
/** Of 0 to 4: more than 10^10 guesses for somebody who knows common passwords and the words below. */
const STRENGTH_MIN = 4
/** Of this many characters at least no such word is part. */
const REST_MIN = 8
/** Words that a password gets no credit for, beside those of its owner's name and address. */
const CONTEXT_WORDS: readonly string[] = ['malipo', 'payment', 'gateway', 'admin', 'finance', 'support']

/** The work of a guess. A hash opens at the cost that made it only. */
export type PasswordCost = ScryptOptions

// OWASP's second choice of equal strengths, N = 2^15 and p = 3: 32 MiB and a fifth of a second per password. Argon2 is
// missing from the Node 24.0 that npm has for Apple silicon.
const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const SALT_BYTES = 16
const HASH_BYTES = 32

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

/** Passwords that may wait to be hashed; more are refused, because the same processor carries payments. */
const WAITING_MAX = 30
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** Too many passwords wait to be checked. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}

/** One at a time: a burst of sign-ins takes one processor at most. @throws PasswordsBusy */
async function hashInTurn(password: string, salt: Uint8Array, cost: PasswordCost): Promise<Buffer> {
  if (waiting >= WAITING_MAX) throw new PasswordsBusy('too many passwords wait to be checked')
  waiting += 1
  const run = last.then(() => derive(password, salt, HASH_BYTES, cost))
  last = run.catch(() => undefined)
  try {
    return await run
  } finally {
    waiting -= 1
  }
}

/** `scrypt$<salt>$<hash>`; the password is taken exactly as it was typed. */
export async function hashPassword(password: string, random: Random, cost = COST): Promise<string> {
  const salt = Buffer.from(random.bytes(SALT_BYTES))
  return `scrypt$${salt.toString('base64')}$${(await hashInTurn(password, salt, cost)).toString('base64')}`
}

/** A hash that no password has, for accounts that have none: both take the same time. */
const NO_PASSWORD = `scrypt$${randomBytes(SALT_BYTES).toString('base64')}$${randomBytes(HASH_BYTES).toString('base64')}`

/** @param stored undefined takes as long, and is never right */
export async function isPassword(password: string, stored: string | undefined, cost = COST): Promise<boolean> {
  const [, salt = '', hash = ''] = (stored ?? NO_PASSWORD).split('$')
  const given = await hashInTurn(password.slice(0, PASSWORD_MAX + 1), Buffer.from(salt, 'base64'), cost)
  return isSameBytes(given, Buffer.from(hash, 'base64')) && stored !== undefined
}

/** Loaded once somebody chooses a password: the dictionaries take 20 MB of memory. */
async function loadStrength() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}
let strength: ReturnType<typeof loadStrength> | undefined

/**
 * Why a password cannot be chosen; any characters are allowed. Checked against common and leaked passwords, patterns,
 * and words of its owner.
 */
export async function passwordFault(password: string, owner: readonly string[]): Promise<string | undefined> {
  if (password.length < PASSWORD_MIN) return `The password needs at least ${PASSWORD_MIN} characters.`
  if (password.length > PASSWORD_MAX) return `The password has more than ${PASSWORD_MAX} characters.`
  const words = owner.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length > 2)
  const context = [...CONTEXT_WORDS, ...words]
  const rest = context.reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase())
  const { score } = (await (strength ??= loadStrength())).check(password, context)
  return score < STRENGTH_MIN || rest.length < REST_MIN
    ? 'This password is easy to guess: it is common, or made of common parts. Try four words that have nothing to do with each other.'
    : undefined
}
