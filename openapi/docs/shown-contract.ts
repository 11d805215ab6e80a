import type { CodeSample } from './contract.ts'
import { toPlaces } from './places.ts'

const FENCES: Readonly<Record<string, string>> = { TypeScript: 'ts', Python: 'python', PHP: 'php' }

interface Described {
  description: string
  readonly operationId: string
  'x-codeSamples'?: readonly CodeSample[] | undefined
}
interface Shown {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

/**
 * The bundle as Redoc gets it, with what only the docs need: links to places, the way to the console, and receivers
 * where Redoc leaves them out.
 */
export function shownContract(bundle: string, places: ReadonlyMap<string, string>): string {
  const shown = JSON.parse(toPlaces(bundle, places)) as Shown
  for (const operation of Object.values(shown.paths).flatMap((methods) => Object.values(methods)))
    operation.description = `${operation.description.trim()}\n\n[Try it in the sandbox](#try/${operation.operationId})\n`
  for (const webhook of Object.values(shown.webhooks).flatMap((methods) => Object.values(methods))) {
    // Of a request to merchants Redoc shows the payload or else one sample. The samples are in the bundle, so no `$ref`
    // stands here.
    const receivers = (webhook['x-codeSamples'] ?? []).map(
      ({ label, source }) => `**A receiver in ${label}**\n\n\`\`\`${FENCES[label] ?? ''}\n${source.trimEnd()}\n\`\`\``,
    )
    webhook['x-codeSamples'] = undefined
    webhook.description = [webhook.description.trim(), ...receivers].join('\n\n')
  }
  return JSON.stringify(shown)
}
