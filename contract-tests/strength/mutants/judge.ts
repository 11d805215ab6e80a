import type { OpenApiDocument } from '../../../openapi/reading/document.ts'
import type { Corpus } from './corpus.ts'
import { mutantsOf, type Mutant } from './operators.ts'
import { illustrationFaults, ruleFaults } from './rules.ts'
import { wireFaults } from './wire.ts'

/** Who noticed: rules within the contract, examples compared with the gateway's replies, or the recorded exchanges. */
export type KillerKind = 'rules' | 'examples' | 'wire'

export interface MutantVerdict {
  readonly operator: string
  readonly at: string
  readonly what: string
  /** Absent: nobody noticed. */
  readonly killer?: KillerKind
  /** The first fault that was found. */
  readonly fault?: string
}

/** All faults of a contract. A contract that cannot be read has one: the reason. */
export function* faultsOf(
  contract: OpenApiDocument,
  corpus: Corpus,
): Generator<{ readonly killer: KillerKind; readonly fault: string }> {
  const killers: readonly (readonly [KillerKind, () => Iterable<string>])[] = [
    ['rules', () => ruleFaults(contract)],
    ['examples', () => illustrationFaults(contract, corpus)],
    ['wire', () => wireFaults(contract, corpus)],
  ]
  for (const [killer, faults] of killers) {
    try {
      for (const fault of faults()) yield { killer, fault }
    } catch (error) {
      yield { killer, fault: error instanceof Error ? error.message : String(error) }
    }
  }
}

export function judge({ operator, at, what, make }: Mutant, corpus: Corpus): MutantVerdict {
  const [first] = faultsOf(make(), corpus).take(1)
  return { operator, at, what, ...first }
}

/** Every mutant, or every nth one. */
export const judgeAll = (contract: OpenApiDocument, corpus: Corpus, everyNth = 1): MutantVerdict[] =>
  mutantsOf(contract)
    .filter((_, index) => index % everyNth === 0)
    .map((mutant) => judge(mutant, corpus))
