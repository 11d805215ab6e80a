import { present } from '../../domain/present.ts'
import { seededWords } from '../testing/seeded.ts'

const WHOLE = 2 ** 32

/**
 * Every decision of a schedule, in the order in which they were taken: this list is the schedule. 0 is always the
 * harmless choice (the first in line, go on, no fault), so writing zeros simplifies a schedule, and a truncated
 * schedule continues without harm.
 */
export class Choices {
  readonly taken: number[] = []
  private readonly draw: () => number
  private readonly script: readonly number[] | undefined

  private constructor(draw: () => number, script: readonly number[] | undefined) {
    this.draw = draw
    this.script = script
  }

  static fromSeed(seed: number): Choices {
    return new Choices(seededWords(seed), undefined)
  }

  /** Replays a list of decisions, with zeros after its end. */
  static replay(script: readonly number[]): Choices {
    return new Choices(() => 0, script)
  }

  /** Any of `count`, with equal probability. */
  among(count: number): number {
    return this.take(count, () => this.draw() % count)
  }

  /** Usually 0; one of the others with this probability. */
  rarely(probability: number, count = 2): number {
    return this.take(count, () => (this.draw() < probability * WHOLE ? 1 + (this.draw() % (count - 1)) : 0))
  }

  /** One of these, with equal probability; the first is the harmless one. */
  of<Value>(...values: readonly [Value, ...Value[]]): Value {
    return chosen(values, this.among(values.length))
  }

  /** Usually the first of these; one of the others with this probability. */
  rarelyOf<Value>(probability: number, values: readonly Value[]): Value {
    return chosen(values, this.rarely(probability, values.length))
  }

  private take(count: number, fresh: () => number): number {
    const scripted = this.script ? (this.script[this.taken.length] ?? 0) : undefined
    const value = scripted === undefined ? fresh() : Math.min(scripted, count - 1)
    this.taken.push(value)
    return value
  }
}

const chosen = <Value>(values: readonly Value[], index: number): Value => present(values[index], 'something to choose')
