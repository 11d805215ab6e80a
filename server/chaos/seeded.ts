import { present } from '../domain/present.ts'
/** Gives numbers from 0 up to 1. */
export type Random = () => number

/**
 * mulberry32: small, and the same numbers for the same seed everywhere. A name gives each user of a seed its own
 * numbers.
 */
export function seeded(seed: number, name = ''): Random {
  let state = [...name].reduce((mixed, character) => Math.imul(mixed ^ character.charCodeAt(0), 0x01000193), seed) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** From `min` up to, not including, `max`. */
export const between = (random: Random, min: number, max: number): number => min + random() * (max - min)

/** A whole number, both ends included. */
export const wholeBetween = (random: Random, min: number, max: number): number =>
  Math.floor(between(random, min, max + 1))

/** @throws Error when there is nothing to choose from */
export function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return present(values[Math.floor(random() * values.length)], 'something to choose from')
}
