import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { redocly } from '../redocly.ts'

/** The operators whose APIs are described here; a document is named after its operator. */
export const OPERATORS: readonly string[] = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.yaml') && file !== 'redocly.yaml')
  .map((file) => file.replace(/\.yaml$/, ''))
  .toSorted()

/** The source that redocly bundles, relative to the root of the repository. */
export const OPERATOR_DOCUMENTS: readonly string[] = OPERATORS.map((operator) => `openapi/operators/${operator}.yaml`)

/**
 * The bundle and the types of every operator's API, by their files below generated/.
 * @param folder an empty one to work in
 */
export async function operatorTexts(folder: string): Promise<Readonly<Record<string, string>>> {
  const config = ['--config', 'openapi/operators/redocly.yaml']
  redocly('bundle', ...OPERATOR_DOCUMENTS, ...config, '--ext', 'json', '-o', join(folder, 'operators'))
  const texts: Record<string, string> = {}
  for (const operator of OPERATORS) {
    const bundle = readFileSync(join(folder, 'operators', `${operator}.json`), 'utf8')
    const types = astToString(await openapiTS(bundle, { silent: true }))
    texts[`operators/${operator}.json`] = bundle
    texts[`operators/${operator}.d.ts`] = `${headerOf(operator)}${types}`
  }
  return texts
}

const headerOf = (operator: string): string =>
  `// Written by \`npm run generate\` from openapi/operators/${operator}.yaml, with openapi-typescript.\n\n`
