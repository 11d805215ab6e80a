import type { Call } from './calls-of-contract.ts'
import { errorKinds } from './error-kinds.ts'

/**
 * What an editor shows for a call: everything that the contract says about its operation, and the TypeScript sample.
 */
export function commentOf({ operation, pathParameters }: Call): string {
  const { summary, description, samples } = operation
  const lines = [
    `${summary}.`,
    '',
    ...description.trim().split('\n'),
    '',
    ...pathParameters.map(({ argument, description: about }) => `@param ${argument} ${about}`),
    ...errorKinds(operation).map(
      ({ status, kind, description: reason }) => `@throws MalipoError \`${kind}\`, HTTP ${status}: ${reason}`,
    ),
    ...samples
      .filter(({ lang }) => lang === 'TypeScript')
      .flatMap(({ source }) => ['@example', '```ts', ...source.trim().split('\n'), '```']),
  ]
  const text = lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')
  return `  /**\n${text}\n   */`
}
