import { descendant, rootOf, children, type SchemaLocation } from '../../../openapi/reading/places.ts'
import { listOf, objectOf, textOf, type Json } from '../../../openapi/reading/json.ts'

/** A code sample that the docs show beside an operation. */
interface Sample {
  readonly operationId: string
  /** Its name in the docs: `curl`, `TypeScript`. */
  readonly label: string
  readonly source: string
}

/** Every code sample of a bundled contract that calls Malipo. */
export const samplesIn = (contract: Json): Sample[] => samplesUnder(descendant(rootOf(contract), 'paths'))

/** The receivers: samples of what Malipo sends to merchants. */
export const receiversIn = (contract: Json): Sample[] => samplesUnder(descendant(rootOf(contract), 'webhooks'))

const samplesUnder = (paths: SchemaLocation): Sample[] =>
  children(paths)
    .flatMap(([, path]) => children(path).map(([, operation]) => operation))
    .flatMap(samplesOf)

function samplesOf({ node }: SchemaLocation): Sample[] {
  const { operationId, 'x-codeSamples': samples } = objectOf(node)
  return listOf(samples)
    .map(objectOf)
    .map(({ label, source }) => ({ operationId: textOf(operationId), label: textOf(label), source: textOf(source) }))
}
