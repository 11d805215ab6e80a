import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { redocly } from '../redocly.ts'

/** The second contract: what staff and people of merchants see and do. */
export const ADMIN_CONTRACT = 'openapi/admin.yaml'
export const ADMIN_CONFIG = ['--config', 'openapi/admin/redocly.yaml'] as const

/**
 * Its bundle and its types, by their files below generated/.
 * @param folder an empty one to work in
 */
export async function adminTexts(folder: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, 'admin.json')
  redocly('bundle', ADMIN_CONTRACT, ...ADMIN_CONFIG, '-o', file)
  const bundle = readFileSync(file, 'utf8')
  const types = astToString(await openapiTS(bundle, { silent: true, defaultNonNullable: false }))
  return {
    'admin.json': bundle,
    'admin.d.ts': `// Written by \`npm run generate\` from ${ADMIN_CONTRACT}, with openapi-typescript.\n\n${types}`,
  }
}
