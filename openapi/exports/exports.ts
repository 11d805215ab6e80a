import type { Json } from '../reading/json.ts'
import { parseDocument } from '../reading/contract.ts'
import { toOpenApi30 } from './openapi-3.0.ts'
import { toPostman } from './postman.ts'

/** What tools other than ours want to read: texts by the names of their files in `generated/`. */
export const exportTexts = (bundle: string): Readonly<Record<string, string>> => ({
  'openapi-3.0.json': jsonText(toOpenApi30(JSON.parse(bundle) as Json)),
  'malipo.postman_collection.json': jsonText(toPostman(parseDocument(bundle))),
})

const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
