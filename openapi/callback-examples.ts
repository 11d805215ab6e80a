import type { OpenApiDocument } from './reading/document.ts'

/** What the toolbox's stand-in of the gateway replies with. */
const REPLIES = [
  'api_version_missing',
  'collection_hosted_accepted',
  'events_none',
  'keys_wrong',
  'merchant_reference_used',
  'providers_mobile_money',
  'transaction_collection_completed',
  'transaction_unknown',
]

/**
 * Writes the contract's example callbacks as a module, and some of its replies, so that the client's toolbox needs no
 * other file of the contract.
 */
export function callbackExamplesModule({ components }: OpenApiDocument): string {
  const all = Object.entries(components?.examples ?? {})
  const examples = all.filter(([name]) => name.startsWith('callback_'))
  const replies = all.filter(([name]) => REPLIES.includes(name))
  if (examples.length === 0) throw new Error('the contract has no examples named callback_…')
  if (replies.length < REPLIES.length) throw new Error(`the contract lacks one of the examples ${REPLIES.join(', ')}`)
  return `// Written by \`npm run generate\` from openapi/components/examples.
import type { components } from './schema.d.ts'

type Callback = components['schemas']['CollectionCallback' | 'PayoutCallback' | 'RefundCallback']

export const callbackExamples = {
${examples.map(([name, { value }]) => `  ${name}: ${JSON.stringify(value)},`).join('\n')}
} satisfies Readonly<Record<string, Callback>>

export const replyExamples = {
${replies.map(([name, { value }]) => `  ${name}: ${JSON.stringify(value)},`).join('\n')}
} as const
`
}
