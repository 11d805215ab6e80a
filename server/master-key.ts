/** Makes a master key: 32 random bytes. */
export const MAKE_MASTER_KEY = 'openssl rand -base64 32'

const BYTES_MIN = 32
/**
 * Minimum of distinct characters: 43 random characters of base64 have fewer once in 10^12 keys, 64 of hex never fewer
 * than 8.
 */
const DISTINCT_MIN = { base64: 16, hex: 8 } as const
/**
 * Maximum share of adjacent characters that repeat or count up or down: one in twenty in random text, all of them in
 * `abcdef…` and `aaaa…`.
 */
const RUNS_MAX_SHARE = 0.4
/**
 * The commonest letter pairs in English words: half the pairs of a phrase, one in twenty in random base64; this many
 * once in 10^8 keys.
 */
const PAIRS = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ' +
    'ea ra ce li ch ll be ma si om ur'
  ).split(' '),
)
const PAIRS_MAX_SHARE = 0.33
/** Words from examples and careless keys, allowed with a few more pairs than chance produces. */
const PLACEHOLDER = /change|secret|master|malipo|random|example|replace|password|openssl|default|sandbox|insert/i
const PAIRS_OF_PLACEHOLDER_MIN = 5

/**
 * Why a text cannot be the key that seals live secrets: it must be impossible to guess or to read in an example. It
 * has to look like the output of a random source, in base64 or hex; a phrase that somebody made up does not.
 * @returns the text after the name of the setting: "must …"; undefined for a good key. Never repeats the key
 */
export function masterKeyFault(key: string): string | undefined {
  const isHex = /^[0-9a-f]+$/i.test(key)
  const isBase64 = /^[\w+/-]+={0,2}$/.test(key)
  if (!isHex && !isBase64) return MUST_BE_RANDOM
  const text = key.replace(/=+$/, '')
  const bytes = isHex ? text.length / 2 : Math.floor((text.length * 3) / 4)
  if (bytes < BYTES_MIN) return MUST_BE_RANDOM
  // Random base64 of this length lacks upper-case or lower-case letters once in 10^10 keys; a phrase usually does.
  if (!isHex && !(/[a-z]/.test(text) && /[A-Z]/.test(text))) return MUST_BE_RANDOM
  if (new Set(text).size < (isHex ? DISTINCT_MIN.hex : DISTINCT_MIN.base64)) return MUST_BE_RANDOM
  if (!isHex && isPhrase(text)) return MUST_BE_RANDOM
  return runsIn(text) > RUNS_MAX_SHARE * text.length || isRepeated(text) ? MUST_BE_RANDOM : undefined
}

function isPhrase(text: string): boolean {
  const letters = text.toLowerCase()
  const pairs = [...letters].filter((_sign, place) => PAIRS.has(letters.slice(place, place + 2))).length
  return pairs > PAIRS_MAX_SHARE * text.length || (pairs >= PAIRS_OF_PLACEHOLDER_MIN && PLACEHOLDER.test(text))
}

const MUST_BE_RANDOM = `must be ${BYTES_MIN} random bytes in base64 or hex, from: ${MAKE_MASTER_KEY}`

const runsIn = (text: string): number =>
  [...text].filter((_sign, place) => place > 0 && Math.abs(text.charCodeAt(place) - text.charCodeAt(place - 1)) <= 1)
    .length

/** One short text repeated. */
const isRepeated = (text: string): boolean => `${text}${text}`.indexOf(text.slice(0, 12), 1) < text.length
