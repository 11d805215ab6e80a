import { parseDocument } from '../reading/contract.ts'
import { operationsOf, withOperations } from '../reading/operations.ts'
import { fenced, withSamples } from './operation-page.ts'
import { toPlaces } from './places.ts'

/**
 * The bundle for Redoc, with additions for the docs only: links to places, links to the console, and receivers where
 * Redoc omits them.
 */
export function redocContract(bundle: string, places: ReadonlyMap<string, string>): string {
  const withConsole = withOperations(parseDocument(toPlaces(bundle, places)), 'operation', (operation) => ({
    ...operation,
    description: `${operation.description?.trim()}\n\n[Try it in the sandbox](#try/${operation.operationId})\n`,
  }))
  // Of a request to merchants Redoc shows either the payload or one sample.
  const shown = withOperations(withConsole, 'message', ({ 'x-codeSamples': samples = [], ...message }) => ({
    ...message,
    description: [
      message.description?.trim(),
      ...samples.map((sample) => `**A receiver in ${sample.label}**\n\n${fenced(sample)}`),
    ].join('\n\n'),
  }))
  const operations = operationsOf(shown)
  const inFull = (text = ''): string => withSamples(text, operations)
  return JSON.stringify({
    ...shown,
    info: { ...shown.info, description: inFull(shown.info?.description) },
    tags: shown.tags?.map((tag) => ({ ...tag, description: inFull(tag.description) })),
  })
}
