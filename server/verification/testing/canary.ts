// Values that are easy to find again: each one is planted in one place only, so that a finding shows where it entered.

/** The three kinds of text that must not leak: keys, card numbers, OTPs. */
type CanaryKind = 'secret' | 'card' | 'otp'

interface Canary {
  readonly kind: CanaryKind
  readonly value: string
  /** Where it was sent, for people: `initializeCollection mobile_money body description`. */
  readonly place: string
}

/** A secret that is really in use, by name. */
export interface KnownSecret {
  readonly name: string
  readonly value: string
}

/** A planted canary or a known secret that was found somewhere. */
interface CanaryMatch {
  readonly of: Canary | KnownSecret
  readonly around: string
}

export interface Canaries {
  plant(kind: CanaryKind, place: string): string
  /** All our canaries in a text, including behind percent-encoding, JSON escapes, hexadecimal and base64. */
  findIn(text: string): readonly CanaryMatch[]
  readonly planted: readonly Canary[]
}

export function createCanaries(secrets: readonly KnownSecret[]): Canaries {
  const planted = new Map<string, Canary>()
  return {
    plant(kind, place) {
      const value = VALUES[kind](planted.size + 1)
      planted.set(value, { kind, value, place })
      return value
    },
    findIn(text) {
      const seen = new Map<Canary | KnownSecret, CanaryMatch>()
      for (const view of viewsOf(text)) {
        for (const { value, at } of candidatesIn(view)) {
          const of = planted.get(value)
          if (of && !seen.has(of)) seen.set(of, { of, around: around(view, at) })
        }
        for (const of of secrets) {
          const at = indexOf(view, of.value)
          if (at >= 0 && !seen.has(of)) seen.set(of, { of, around: around(view, at) })
        }
      }
      return [...seen.values()]
    },
    get planted() {
      return [...planted.values()]
    },
  }
}

/**
 * The shape of a signing key: it passes every text field of the contract that takes 20 characters. A card number passes
 * the Luhn check. An OTP has the most digits the contract allows.
 */
const VALUES: Readonly<Record<CanaryKind, (count: number) => string>> = {
  secret: (count) => `KANARI${String(count).padStart(6, '0')}SIGNKEY0`,
  card: (count) => withCheckDigit(`424242${String(count).padStart(9, '0')}`),
  otp: (count) => `7${String((count * 7_919) % 10_000_000).padStart(7, '0')}`,
}

function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}

const CARD_DIGITS = 16

function* candidatesIn(text: string): Generator<{ value: string; at: number }> {
  for (const { 0: value, index } of text.matchAll(/KANARI\d{6}SIGNKEY0/gi))
    yield { value: value.toUpperCase(), at: index }
  for (const { 0: run, index } of text.matchAll(/\d(?:[ .-]?\d){15,}/g)) {
    const digits = run.replace(/\D/g, '')
    for (let start = 0; start + CARD_DIGITS <= digits.length; start++)
      yield { value: digits.slice(start, start + CARD_DIGITS), at: index }
  }
  for (const { 0: value, index } of text.matchAll(/(?<![0-9A-Za-z])7\d{7}(?![0-9A-Za-z])/g)) yield { value, at: index }
}

/** A short secret counts only where it stands alone: six digits occur in many numbers. */
function indexOf(text: string, secret: string): number {
  if (secret.length > 8) return text.indexOf(secret)
  return text.search(new RegExp(`(?<![0-9A-Za-z.])${secret}(?![0-9A-Za-z.])`))
}

const DEPTH_MAX = 3

/** The text as it is and in earlier encodings: we cannot know how a log writes a key. */
function* viewsOf(text: string, depth = 0): Generator<string> {
  yield text
  if (depth === DEPTH_MAX) return
  for (const decoded of decodings(text)) yield* viewsOf(decoded, depth + 1)
}

function* decodings(text: string): Generator<string> {
  if (/%[0-9a-f]{2}/i.test(text))
    yield text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  if (/\\u[0-9a-f]{4}/i.test(text))
    yield text.replace(/\\u([0-9a-f]{4})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  for (const [run] of text.matchAll(/(?:[0-9a-f]{2}){8,}/gi)) yield Buffer.from(run, 'hex').toString('latin1')
  // In a longer encoded text, ours may begin at any of four positions.
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/g))
    for (let start = 0; start < 4; start++) yield Buffer.from(run.slice(start), 'base64').toString('latin1')
}

const around = (text: string, at: number): string => text.slice(Math.max(at - 80, 0), at + 100).replace(/\s+/g, ' ')
