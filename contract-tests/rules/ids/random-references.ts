import { acceptedPayment } from '../accepted-payment.ts'
import { faultIf, type Fault } from '../observed-exchange.ts'
import type { Judging, Rule } from '../rule.ts'
import { notRandom, SAMPLE_MAX } from './randomness.ts'

/** References of one kind and server, in the order of their making: their random symbols. */
type Samples = Map<string, { readonly what: string; readonly texts: Set<string> }>

/** `MLP` and six symbols of time, then 16 random ones; `MREF` and 16 random ones. */
const RANDOM_PART = [
  [/^MLP.{6}(.{16})$/, 'internal_reference (after MLP and six symbols of time)'],
  [/^MREF(.{16})$/, 'merchant_reference of auto (after MREF)'],
] as const

/**
 * The random part of a reference is random: whoever knows an internal_reference may open its payment page. The chance
 * of a false finding is 1e-9 at most for each kind (see `randomness.ts`); fewer than 20 references are not judged.
 */
function randomReferencesJudging(): Judging {
  const samples: Samples = new Map()
  return {
    each: (seen) => {
      const accepted = seen.isReplay ? undefined : acceptedPayment(seen)
      const made = accepted
        ? [accepted.internalReference, ...(accepted.isAuto ? [accepted.merchantReference] : [])]
        : []
      for (const reference of made)
        for (const [pattern, what] of RANDOM_PART) {
          const text = pattern.exec(reference)?.[1]
          // Each of our own gateways draws from its own seed, and has its own address.
          const key = `${seen.host} ${what}`
          const sample = samples.get(key) ?? { what, texts: new Set() }
          samples.set(key, sample)
          if (text !== undefined && sample.texts.size < SAMPLE_MAX) sample.texts.add(text)
        }
      return []
    },
    end: () =>
      [...samples.values()].flatMap(({ what, texts }): readonly Fault[] => {
        const why = notRandom([...texts])
        return faultIf(
          why !== undefined,
          `not random: ${what}`,
          `the random part of ${what} ${why} (${texts.size} references); by the contract its 16 symbols come from a secure random source`,
          'initializeCollection',
        )
      }),
  }
}

export const randomReferencesRule: Rule = {
  name: 'random references',
  reason: 'The random part of a reference cannot be guessed from others.',
  plantedFault: 'references-of-a-counter',
  judging: () => randomReferencesJudging(),
}
