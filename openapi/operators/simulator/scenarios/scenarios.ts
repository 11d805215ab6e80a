import { isOrderEffect, type OrderEffect, type Scenario, type WireEffect } from './effects.ts'

/** A scenario, pending or used up. */
interface ActiveScenario {
  readonly id: number
  readonly scenario: Scenario
  /** Remaining calls; `always` never ends. */
  readonly left: number | 'always'
  readonly skips: number
}

/** A call, as scenarios match it. */
export interface CalledAbout {
  readonly operation: string
  readonly msisdn: string | undefined
}

export interface Scenarios {
  add(scenarios: readonly Scenario[]): readonly ActiveScenario[]
  /** The effect on this call's reply: the first that matches, because a call has one reply. Uses it up. */
  takeWire(call: CalledAbout): WireEffect | undefined
  /** All effects on the order that this call creates. Uses them up. */
  takeOrder(call: CalledAbout): readonly OrderEffect[]
  /** The operator's quirk for this call. Uses it up. @returns its value, `true` if it has none */
  takeQuirk(call: CalledAbout, name: string): string | number | boolean | undefined
  all(): readonly ActiveScenario[]
  /** @returns whether there was one */
  remove(id: number): boolean
  clear(): void
}

export function createScenarios(): Scenarios {
  const playing: { readonly id: number; readonly scenario: Scenario; left: number | 'always'; skips: number }[] = []
  let ids = 0

  const uses = (one: (typeof playing)[number], call: CalledAbout): boolean => {
    const { on } = one.scenario
    const matches =
      (on?.operation === undefined || on.operation === call.operation) &&
      (on?.msisdn === undefined || on.msisdn === call.msisdn) &&
      one.left !== 0
    if (!matches) return false
    if (one.skips > 0) {
      one.skips -= 1
      return false
    }
    if (one.left !== 'always') one.left -= 1
    return true
  }

  return {
    add(scenarios) {
      const added = scenarios.map((scenario) => ({
        id: ++ids,
        scenario,
        left: scenario.times ?? 1,
        skips: scenario.skip ?? 0,
      }))
      playing.push(...added)
      return added.map((one) => ({ ...one }))
    },
    takeWire(call) {
      for (const one of playing) {
        const { effect } = one.scenario
        if (!isOrderEffect(effect) && uses(one, call)) return effect
      }
      return undefined
    },
    takeOrder: (call) =>
      playing.flatMap((one) => {
        const { effect } = one.scenario
        return isOrderEffect(effect) && uses(one, call) ? [effect] : []
      }),
    takeQuirk(call, name) {
      for (const one of playing) {
        const { effect } = one.scenario
        if (effect.do === 'quirk' && effect.name === name && uses(one, call)) return effect.value ?? true
      }
      return undefined
    },
    all: () => playing.map((one) => ({ ...one })),
    remove(id) {
      const index = playing.findIndex((one) => one.id === id)
      if (index === -1) return false
      playing.splice(index, 1)
      return true
    },
    clear: () => void playing.splice(0),
  }
}
