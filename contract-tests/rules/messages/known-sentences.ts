import type { Contract, Operation, Response } from '../../../openapi/reading/contract.ts'
import { allSentences } from './all-sentences.ts'
import { sentencesOf, wordsOfPage, type DeclaredSentence } from '../../harness/declared-words.ts'

/** The sentences of a contract, each read once. */
export interface KnownSentences {
  /** Of the page "Errors". */
  readonly page: readonly DeclaredSentence[]
  /** In the examples of a response. */
  of(response: Response): readonly DeclaredSentence[]
  /** Whether some request makes the schemas of the operation cause this message. */
  isOfSchemas(operation: Operation | undefined, message: string): boolean
}

export function readSentences(contract: Contract): KnownSentences {
  const known = new Map<Response, readonly DeclaredSentence[]>()
  const ofSchemas = new Map<Operation, ReadonlySet<string>>()
  return {
    page: wordsOfPage(contract, 'errors'),
    of(response) {
      const own = known.get(response) ?? sentencesOf(response)
      known.set(response, own)
      return own
    },
    isOfSchemas(operation, message) {
      if (!operation) return false
      const all = ofSchemas.get(operation) ?? allSentences(contract, operation)
      ofSchemas.set(operation, all)
      return all.has(message)
    },
  }
}
