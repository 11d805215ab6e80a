import { parseDocument } from '../reading/contract.ts'
import { withOperations } from '../reading/operations.ts'
import { fenced } from './operation-page.ts'
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
  return JSON.stringify(shown)
}
