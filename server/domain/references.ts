/** Source of randomness, injected: `bytes(n)` returns n unpredictable bytes. */
export interface Random {
  bytes(size: number): Uint8Array
}

const RANDOM_POOL_BYTES = 8192

/**
 * Secure randomness, fetched in blocks: each request needs a few bytes for its id and its references, and a system
 * call for each of them took a tenth of all CPU time. No byte is ever returned twice.
 */
export function pooledRandom(randomBytes: (size: number) => Buffer): Random {
  let pool: Buffer = Buffer.alloc(0)
  let used = 0
  return {
    bytes(size) {
      if (size > RANDOM_POOL_BYTES) return randomBytes(size)
      if (used + size > pool.length) {
        pool = randomBytes(RANDOM_POOL_BYTES)
        used = 0
      }
      used += size
      return pool.subarray(used - size, used)
    },
  }
}

/** A random number in [0, 1). */
export const fraction = (random: Random): number => {
  const [high = 0, low = 0] = random.bytes(2)
  return (high * 256 + low) / 65_536
}

// Crockford's base32: no I, L, O, U, so that a reference survives being read aloud. 32 symbols: five bits of a byte
// each, so there is no bias.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function symbols(random: Random, length: number): string {
  let text = ''
  for (const byte of random.bytes(length)) text += ALPHABET[byte & 31]
  return text
}

/** Epoch of ids and references: 2020-01-01T00:00:00Z, in milliseconds since 1970. */
export const TIME_ORIGIN_MS = Date.UTC(2020, 0, 1)

/** The lowest `length * 5` bits of a number as symbols: texts of the same length sort like their numbers. */
function encoded(value: number, length: number): string {
  let text = ''
  for (let rest = value, left = length; left > 0; left -= 1, rest = Math.floor(rest / 32))
    text = `${ALPHABET[rest % 32]}${text}`
  return text
}

/** The number that the symbols encode; NaN if one of them is invalid. */
const decoded = (text: string): number =>
  [...text].reduce((value, symbol) => {
    const digit = ALPHABET.indexOf(symbol)
    return digit < 0 ? Number.NaN : value * 32 + digit
  }, 0)

/** Unit of the time part: two seconds, so that six symbols last until 2088. */
const REFERENCE_UNIT_MS = 2_000
const REFERENCE_TIME_SYMBOLS = 6
const REFERENCE_TIME_MAX = 32 ** REFERENCE_TIME_SYMBOLS - 1

/**
 * `MLP` + 6 symbols of time + 16 random ones (80 bits). Whoever knows it may pay, so it must be unguessable. The time
 * comes first for index locality: payments accepted together are adjacent in every index on it.
 */
export function newInternalReference(random: Random, at: Date): string {
  const units = Math.floor((at.getTime() - TIME_ORIGIN_MS) / REFERENCE_UNIT_MS)
  const time = Math.min(Math.max(units, 0), REFERENCE_TIME_MAX)
  return `MLP${encoded(time, REFERENCE_TIME_SYMBOLS)}${symbols(random, 16)}`
}

/**
 * The time span that an internal reference encodes; undefined when it is not a valid one. References from before time
 * ids are random throughout: their time is meaningless.
 */
export function timeOfReference(reference: string): { readonly from: Date; readonly until: Date } | undefined {
  if (!/^MLP.{22}$/.test(reference)) return undefined
  const units = decoded(reference.slice(3, 3 + REFERENCE_TIME_SYMBOLS))
  if (Number.isNaN(units)) return undefined
  const from = TIME_ORIGIN_MS + units * REFERENCE_UNIT_MS
  return { from: new Date(from), until: new Date(from + REFERENCE_UNIT_MS) }
}

/** A merchant's reference, of whatever it names. The message follows the name of the field. */
export const MERCHANT_REFERENCE = {
  pattern: /^[A-Za-z0-9._~-]{8,36}$/,
  message: 'must have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -',
}

/** The generated reference for `auto`: `MREF` + 16 symbols (80 bits). */
export const newMerchantReference = (random: Random): string => `MREF${symbols(random, 16)}`

/** A version 4 UUID (RFC 9562): our order id at the operator. MTN accepts nothing else, the others accept any text. */
export function newOrderId(random: Random): string {
  const bytes = Uint8Array.from(random.bytes(16))
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6)
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8)
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A transaction's id: 53 bits. */
const CALLBACK_ID_SYMBOLS = 11

/**
 * Id of a callback, the `webhook-id` header: the same over all retries. `cb_` + 11 symbols of the transaction's id, by
 * which it is found without an index of its own, + 15 random ones (75 bits).
 */
export const newCallbackId = (random: Random, transactionId: bigint): string =>
  `cb_${encoded(Number(transactionId), CALLBACK_ID_SYMBOLS)}${symbols(random, 15)}`

/** The transaction of a callback's id; undefined when it is not a valid one. */
export function transactionOfCallbackId(callbackId: string): bigint | undefined {
  if (!/^cb_.{26}$/.test(callbackId)) return undefined
  const id = decoded(callbackId.slice(3, 3 + CALLBACK_ID_SYMBOLS))
  return Number.isSafeInteger(id) ? BigInt(id) : undefined
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A claim token: 128 bits, so that no two claims ever share one, whichever process makes them. */
export function newClaimToken(random: Random): string {
  let token = ''
  for (const byte of random.bytes(16)) token += HEX[byte]
  return token
}
