import type { Order, Plan } from '../world/order.ts'
import type { OrderEffect, WireEffect } from './effects.ts'
import type { NumberWords } from './number-words.ts'
import type { CalledAbout, Scenarios } from './scenarios.ts'

/**
 * Plays the test numbers of Malipo's sandbox (`openapi/pages/sandbox.md`) as an operator: the last three digits of the
 * customer's number choose the outcome. Every number is one, so that only orders of 006 wait for a phone. Scenarios
 * take precedence.
 */
interface MalipoNumbers {
  planOf(order: Pick<Order, 'kind' | 'direction' | 'msisdn'>): Plan | undefined
  around(scenarios: Scenarios): Scenarios
}

const SLOW_MS = 60_000
const TRIES_AWAY = 2

/** Tells who has an account: by the endings of numbers. */
export const HOLDER_QUIRK = 'holder'
const HOLDERS: Readonly<Record<string, string>> = { '011': 'none', '012': 'inactive', '014': 'nameless' }

type Direction = Order['direction']

/** @param delayMs the usual delay before a result */
export function malipoNumbers(words: NumberWords, delayMs: number): MalipoNumbers {
  const tries = new Map<string, number>()

  const directionOf = ({ operation, msisdn }: CalledAbout): Direction | undefined => {
    if (msisdn === undefined) return undefined
    if (operation === words.operations.in) return 'in'
    return operation === words.operations.out ? 'out' : undefined
  }

  /** The first two attempts at an order fail at the connection. */
  function away(call: CalledAbout): WireEffect | undefined {
    if (words.holderCalls?.test(call.operation)) return endingOf(call.msisdn) === '013' ? words.away.in : undefined
    const direction = directionOf(call)
    if (direction === undefined || endingOf(call.msisdn) !== '008') return undefined
    const key = `${direction} ${call.msisdn}`
    const tried = tries.get(key) ?? 0
    if (tried === TRIES_AWAY) tries.delete(key)
    else tries.set(key, tried + 1)
    return tried < TRIES_AWAY ? words.away[direction] : undefined
  }

  function quirk(call: CalledAbout, name: string): true | string | undefined {
    if (name === HOLDER_QUIRK) return HOLDERS[endingOf(call.msisdn)]
    const isOfEnding = name === words.insteadOfExpiry && endingOf(call.msisdn) === '003'
    return words.always.includes(name) || (isOfEnding && directionOf(call) === 'out') ? true : undefined
  }

  return {
    planOf: ({ kind, direction, msisdn }) =>
      words.kinds.includes(kind) ? planOf(words, direction, endingOf(msisdn), delayMs) : undefined,
    around: (scenarios) => ({
      ...scenarios,
      takeWire: (call) => scenarios.takeWire(call) ?? away(call),
      takeQuirk: (call, name) => scenarios.takeQuirk(call, name) ?? quirk(call, name),
      takeOrder: (call) => [
        ...scenarios.takeOrder(call),
        ...(directionOf(call) ? effectsOf(words, endingOf(call.msisdn), delayMs) : []),
      ],
    }),
  }
}

const endingOf = (msisdn = ''): string => msisdn.slice(-3)

function planOf(words: NumberWords, direction: Direction, ending: string, delayMs: number): Plan {
  const failing = (code: string): Plan => ({ verdict: { state: 'failed', code }, afterMs: delayMs })
  const paid: Plan = { verdict: { state: 'succeeded' }, afterMs: delayMs }
  const { unable, declined, expired } = words
  switch (ending) {
    case '002':
    case '456':
      return failing(unable[direction])
    case '003':
      // A queue time-out decides nothing: the order is paid after all.
      return expired[direction] === undefined ? paid : failing(expired[direction])
    case '004':
      return failing(declined[direction])
    case '006':
      return { verdict: undefined, afterMs: 0 }
    case '007':
      return failing(expired[direction] ?? declined[direction])
    case '010':
      return { ...paid, afterMs: SLOW_MS }
    default:
      return paid
  }
}

function effectsOf({ reportsAgain }: NumberWords, ending: string, delayMs: number): readonly OrderEffect[] {
  if (ending === '007') return [{ do: 'pay_after_all', after_ms: 2 * delayMs, ...(!reportsAgain && { untold: true }) }]
  return ending === '009' && reportsAgain ? [{ do: 'callback', times: 3 }] : []
}
