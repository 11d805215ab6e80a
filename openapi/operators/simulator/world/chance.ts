import { createHash, randomBytes } from 'node:crypto'

/** The source of ids and of random behaviour. */
export interface Chance {
  /** Two characters for each byte. */
  hex(bytes: number): string
  uuid(): string
}

/** @param seed repeats the same ids and random behaviour for the same calls in the same order */
export function chanceOf(seed?: number): Chance {
  const hex = seed === undefined ? (bytes: number) => randomBytes(bytes).toString('hex') : seededHex(seed)
  return {
    hex,
    uuid() {
      const [a, b, c, d, e] = [hex(4), hex(2), hex(2).slice(1), hex(2).slice(1), hex(6)]
      return `${a}-${b}-4${c}-8${d}-${e}`
    },
  }
}

function seededHex(seed: number): Chance['hex'] {
  let turn = 0
  return (bytes) => {
    let text = ''
    while (text.length < 2 * bytes) text += createHash('sha256').update(`${seed} ${++turn}`).digest('hex')
    return text.slice(0, 2 * bytes)
  }
}
