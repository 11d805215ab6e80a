import type { Call } from './calls-of-contract.ts'
import { followed, named, type Contract } from './contract.ts'
import { errorKinds } from './error-kinds.ts'

/** What an editor shows of a call: all that the contract says of its operation, and the sample in TypeScript. */
export function commentOf({ components }: Contract, { operation, pathParameters }: Call): string {
  const { summary, description, responses, 'x-codeSamples': samples } = operation
  const reasonOf = (status: string) => followed(named(responses, status), components.responses).description
  const lines = [
    `${summary}.`,
    '',
    ...description.trim().split('\n'),
    '',
    ...pathParameters.map(({ argument, description }) => `@param ${argument} ${description}`),
    ...errorKinds(operation).map(
      ([status, kind]) => `@throws MalipoError \`${kind}\`, HTTP ${status}: ${reasonOf(status)}`,
    ),
    ...samples
      .filter(({ lang }) => lang === 'TypeScript')
      .flatMap(({ source }) => ['@example', '```ts', ...source.trim().split('\n'), '```']),
  ]
  const text = lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')
  return `  /**\n${text}\n   */`
}
