import { deflateRawSync } from 'node:zlib'

// Tests of texts that are said to be random: 16 symbols of 32, each equally likely and independent. Each test has a
// bound on its chance to fail on such texts that holds for every length of the sample, and none needs a normal
// approximation. All tests together, over one kind of texts: at most 1e-9.

const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RADIX = SYMBOLS.length
/** Chance of a false finding of each of the five tests. */
const CHANCE_MAX = 2e-10
/** A shorter sample shows nothing with that chance: even a constant symbol needs nine texts. */
export const SAMPLE_MIN = 20
/** Pairs are compared in square time. */
export const SAMPLE_MAX = 1_500

/** What is wrong with texts in the order of their making, in words; undefined: nothing, or too few of them. */
export function notRandom(texts: readonly string[]): string | undefined {
  if (texts.length < SAMPLE_MIN) return undefined
  const rows = texts.slice(0, SAMPLE_MAX).map((text) => [...text].map((symbol) => SYMBOLS.indexOf(symbol)))
  // Other symbols are the schema's matter.
  if (rows.some((row) => row.length !== rows[0]?.length || row.includes(-1))) return undefined
  return unevenPosition(rows) ?? unevenSteps(rows) ?? rising(rows) ?? alike(rows) ?? compressible(rows)
}

/**
 * Whether a count of independent events of probability p (at most) is too high, or (exactly p) too far off: Chernoff's
 * bound, P(count >= k) <= exp(-n D(k/n || p)), and the same below p.
 */
function isUnlikely(count: number, of: number, p: number, tests: number): boolean {
  const q = count / of
  const part = (a: number, b: number): number => (a === 0 ? 0 : a * Math.log(a / b))
  return of * (part(q, p) + part(1 - q, 1 - p)) > Math.log((2 * tests) / CHANCE_MAX)
}

/** A value of 32 that is too frequent or too rare, and how often it comes. @param samples how many are counted in all */
function unevenValue(values: readonly number[], samples: number): readonly [value: number, count: string] | undefined {
  const counts = Array.from({ length: RADIX }, () => 0)
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  const found = counts.findIndex((count) => isUnlikely(count, values.length, 1 / RADIX, RADIX * samples))
  return found < 0 ? undefined : [found, `${counts[found]} of ${values.length}`]
}

/** Each symbol is at each position in one text of 32. 32 counts at each position, and 32 overall. */
function unevenPosition(rows: readonly (readonly number[])[]): string | undefined {
  const width = rows[0]?.length ?? 0
  for (let at = 0; at <= width; at += 1) {
    const [symbol, count] = unevenValue(at < width ? column(rows, at) : rows.flat(), width + 1) ?? []
    const where = at < width ? `as symbol ${at + 1}` : 'anywhere'
    if (symbol !== undefined) return `has ${SYMBOLS[symbol]} ${where} in ${count} places`
  }
  return undefined
}

/** The step from one text to the next, modulo 32, is uniform and independent too: a counter steps by one. */
function unevenSteps(rows: readonly (readonly number[])[]): string | undefined {
  const width = rows[0]?.length ?? 0
  for (let at = 0; at < width; at += 1) {
    const values = column(rows, at)
    const steps = values.slice(1).map((value, index) => (value - (values[index] ?? 0) + RADIX) % RADIX)
    const [step, count] = unevenValue(steps, width) ?? []
    if (step !== undefined)
      return `steps by ${step} at symbol ${at + 1} from one to the next in ${count} cases, as a counter does`
  }
  return undefined
}

/**
 * A text of the first half of the run is greater than its counterpart of the second half with probability 1/2 at most,
 * whichever symbol the comparison begins at: a counter or a time with a carry rises. The pairs share no text.
 */
function rising(rows: readonly (readonly number[])[]): string | undefined {
  const width = rows[0]?.length ?? 0
  const half = Math.floor(rows.length / 2)
  for (let at = 0; at < width; at += 1)
    for (const [sign, word] of [
      [1, 'rises'],
      [-1, 'falls'],
    ] as const) {
      const pairs = rows.slice(0, half).filter((row, index) => sign * compared(row, rows[index + half] ?? [], at) < 0)
      if (pairs.length > half / 2 && isUnlikely(pairs.length, half, 1 / 2, 2 * width))
        return `${word} from symbol ${at + 1} on, in ${pairs.length} of ${half} pairs of an earlier and a later one, as a counter or a time does`
    }
  return undefined
}

function compared(one: readonly number[], other: readonly number[], from: number): number {
  for (let at = from; at < one.length; at += 1) if (one[at] !== other[at]) return (one[at] ?? 0) - (other[at] ?? 0)
  return 0
}

/** Two texts agree at m of w positions or more with probability C(w, m) / 32^m at most; summed over all pairs. */
function alike(rows: readonly (readonly number[])[]): string | undefined {
  const width = rows[0]?.length ?? 0
  const pairs = (rows.length * (rows.length - 1)) / 2
  const limit = Array.from({ length: width + 1 }, (_, same) => same).find(
    (same) => pairs * ways(width, same) * RADIX ** -same < CHANCE_MAX,
  )
  for (const [index, row] of rows.entries())
    for (const other of rows.slice(0, index)) {
      let same = 0
      for (let at = 0; at < width; at += 1) if (row[at] === other[at]) same += 1
      if (limit !== undefined && same >= limit) return `has two that agree in ${same} of ${width} symbols`
    }
  return undefined
}

const ways = (of: number, some: number): number =>
  Array.from({ length: some }, (_, index) => (of - index) / (index + 1)).reduce((product, each) => product * each, 1)

/** Fewer than 2^(1-s) of all texts of n bits have a code of n - s bits or fewer, in any code. Two orders are tried. */
function compressible(rows: readonly (readonly number[])[]): string | undefined {
  const width = rows[0]?.length ?? 0
  const orders = [rows.flat(), Array.from({ length: width }, (_, at) => column(rows, at)).flat()]
  for (const values of orders) {
    const bytes = packed(values)
    const saved = bytes.length - deflateRawSync(bytes, { level: 9 }).length
    if (orders.length * 2 ** (1 - 8 * saved) < CHANCE_MAX)
      return `can be compressed from ${bytes.length} to ${bytes.length - saved} bytes`
  }
  return undefined
}

/** Five bits of each value; what fills no byte at the end is dropped. */
function packed(values: readonly number[]): Buffer {
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const column = (rows: readonly (readonly number[])[], at: number): readonly number[] => rows.map((row) => row[at] ?? 0)
