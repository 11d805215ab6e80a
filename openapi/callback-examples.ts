import type { OpenApiDocument } from './reading/document.ts'

/**
 * Writes the contract's example callbacks as a module, so that the client's toolbox needs no other file of the
 * contract.
 */
export function callbackExamplesModule({ components }: OpenApiDocument): string {
  const examples = Object.entries(components?.examples ?? {}).filter(([name]) => name.startsWith('callback_'))
  if (examples.length === 0) throw new Error('the contract has no examples named callback_…')
  return `// Written by \`npm run generate\` from openapi/components/examples/callback_*.yaml.
import type { components } from './schema.d.ts'

type Callback = components['schemas']['CollectionCallback' | 'PayoutCallback' | 'RefundCallback']

export const callbackExamples = {
${examples.map(([name, { value }]) => `  ${name}: ${JSON.stringify(value)},`).join('\n')}
} satisfies Readonly<Record<string, Callback>>
`
}
