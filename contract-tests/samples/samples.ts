import { descendant, rootOf, children, type Place } from '../release/place.ts'
import { listOf, objectOf, type Json } from '../release/json.ts'

/** A piece of code that the docs show beside an operation. */
export interface Sample {
  readonly operationId: string
  /** As the docs call it: `curl`, `TypeScript`. */
  readonly label: string
  readonly source: string
}

/** Every code sample of a bundled contract. */
export function samplesIn(contract: Json): Sample[] {
  const operations = children(descendant(rootOf(contract), 'paths')).flatMap(([, path]) => children(path).map(([, operation]) => operation))
  return operations.flatMap(samplesOf)
}

function samplesOf({ node }: Place): Sample[] {
  const { operationId, 'x-codeSamples': samples } = objectOf(node)
  return listOf(samples).map(objectOf).map(({ label, source }) => ({ operationId: String(operationId), label: String(label), source: String(source) }))
}
