import { present } from '../domain/present.ts'
import { seededWords } from '../testing/seeded.ts'

const WHOLE = 2 ** 32

/**
 * Every decision of a schedule, in the order in which they were taken: that list is the schedule. 0 is always the
 * harmless one (the first in line, go on, no fault), so a schedule is simplified by putting zeros into it, and one that
 * is cut off goes on without harm.
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

  /** The same again: what was taken before, and zeros from its end on. */
  static replay(script: readonly number[]): Choices {
    return new Choices(() => 0, script)
  }

  /** Any of `count`, each as likely. */
  among(count: number): number {
    return this.take(count, () => this.draw() % count)
  }

  /** 0 mostly; one of the others with this probability. */
  rarely(probability: number, count = 2): number {
    return this.take(count, () => (this.draw() < probability * WHOLE ? 1 + (this.draw() % (count - 1)) : 0))
  }

  /** One of these, each as likely; the first is the harmless one. */
  of<Value>(...values: readonly [Value, ...Value[]]): Value {
    return chosen(values, this.among(values.length))
  }

  /** The first of these mostly; one of the others with this probability. */
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
