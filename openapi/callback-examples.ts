import type { OpenApiDocument } from './reading/document.ts'

/**
 * The contract's example callbacks as a module: the toolbox of the client sends them, and needs no other file of the
 * contract for it.
 */
export function callbackExamplesModule({ components }: OpenApiDocument): string {
  const examples = Object.entries(components?.examples ?? {}).filter(([name]) => name.startsWith('callback_'))
  if (examples.length === 0) throw new Error('the contract has no examples named callback_…')
  return `// Written by \`npm run generate\` from openapi/components/examples/callback_*.yaml.
import type { components } from './schema.d.ts'

type Callback = components['schemas']['CollectionCallback'] | components['schemas']['PayoutCallback']

export const callbackExamples = {
${examples.map(([name, { value }]) => `  ${name}: ${JSON.stringify(value)},`).join('\n')}
} satisfies Readonly<Record<string, Callback>>
`
}
