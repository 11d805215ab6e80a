/** Source of randomness, injected: `bytes(n)` gives n unpredictable bytes. */
export interface Random {
  bytes(size: number): Uint8Array
}

/** A number from 0 up to, not including, 1. */
export const fraction = (random: Random): number => {
  const [high = 0, low = 0] = random.bytes(2)
  return (high * 256 + low) / 65_536
}

// Crockford's base32: no I, L, O, U, so that a reference survives being read aloud. 32 symbols: five bits of a byte
// each, without bias.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function symbols(random: Random, length: number): string {
  let text = ''
  for (const byte of random.bytes(length)) text += ALPHABET[byte & 31]
  return text
}

/** `MLP` + 22 symbols (110 bits). Knowing it is the permission to pay, so it is unguessable. */
export const newInternalReference = (random: Random): string => `MLP${symbols(random, 22)}`

/** What `auto` becomes: `MREF` + 16 symbols (80 bits). */
export const newMerchantReference = (random: Random): string => `MREF${symbols(random, 16)}`

/**
 * A version 4 UUID (RFC 9562): the id under which an operator knows an order. MTN takes no other, the rest take any text.
 */
export function newOrderId(random: Random): string {
  const bytes = Uint8Array.from(random.bytes(16))
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6)
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8)
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Id of a callback, the `webhook-id` header: the same over all retries. */
export const newCallbackId = (random: Random): string => `cb_${symbols(random, 26)}`

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Names one claim of work: 128 bits, so that no two claims ever share one, whoever makes them. */
export function newClaimToken(random: Random): string {
  let token = ''
  for (const byte of random.bytes(16)) token += HEX[byte]
  return token
}
