import { present } from '../../domain/present.ts'
import { seededFractions } from '../testing/seeded.ts'

/** Returns numbers from 0 up to but excluding 1. */
export type Random = () => number

/** The same numbers for the same seed on every machine. A name gives each user of a seed its own sequence. */
export const seeded = (seed: number, name = ''): Random =>
  seededFractions([...name].reduce((mixed, character) => Math.imul(mixed ^ character.charCodeAt(0), 0x01000193), seed))

/** From `min` up to, not including, `max`. */
export const between = (random: Random, min: number, max: number): number => min + random() * (max - min)

/** A whole number, both bounds included. */
export const wholeBetween = (random: Random, min: number, max: number): number =>
  Math.floor(between(random, min, max + 1))

/** @throws Error when there is nothing to choose from */
export function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return present(values[Math.floor(random() * values.length)], 'something to choose from')
}
