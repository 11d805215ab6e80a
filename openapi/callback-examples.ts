import { readFileSync, writeFileSync } from 'node:fs'

interface BundledContract {
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> }
}

/**
 * Writes the contract's example callbacks as a module: the toolbox of the client sends them, and needs no other file of
 * the contract for it.
 */
export function writeCallbackExamples(contractFile: string, file: string): void {
  const { components } = JSON.parse(readFileSync(contractFile, 'utf8')) as BundledContract
  const examples = Object.entries(components.examples).filter(([name]) => name.startsWith('callback_'))
  if (examples.length === 0) throw new Error('the contract has no examples named callback_…')
  const lines = examples.map(([name, { value }]) => `  ${name}: ${JSON.stringify(value)},`)
  writeFileSync(
    file,
    [
      '// Written by `npm run generate` from openapi/components/examples/callback_*.yaml.',
      "import type { components } from './schema.d.ts'",
      '',
      "type Callback = components['schemas']['CollectionCallback'] | components['schemas']['PayoutCallback']",
      '',
      'export const callbackExamples = {',
      ...lines,
      '} satisfies Readonly<Record<string, Callback>>',
      '',
    ].join('\n'),
  )
}
