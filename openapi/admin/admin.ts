import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { redocly } from '../redocly.ts'

/** The second contract: what staff and people of merchants see and do. */
export const ADMIN_CONTRACT = 'openapi/admin.yaml'
export const ADMIN_CONFIG = ['--config', 'openapi/admin/redocly.yaml'] as const

/** The third: what only a sandbox has. */
export const SANDBOX_CONTRACT = 'openapi/sandbox.yaml'
export const SANDBOX_CONFIG = ['--extends', 'recommended-strict'] as const

/**
 * Their bundles and types, by their files below generated/.
 * @param folder an empty one to work in
 */
export const adminTexts = async (folder: string): Promise<Readonly<Record<string, string>>> => ({
  ...(await textsOf(folder, 'admin', ADMIN_CONTRACT, ADMIN_CONFIG)),
  ...(await textsOf(folder, 'sandbox', SANDBOX_CONTRACT, SANDBOX_CONFIG)),
})

async function textsOf(folder: string, name: string, contract: string, config: readonly string[]) {
  const file = join(folder, `${name}.json`)
  redocly('bundle', contract, ...config, '-o', file)
  const bundle = readFileSync(file, 'utf8')
  const types = astToString(await openapiTS(bundle, { silent: true, defaultNonNullable: false }))
  return {
    [`${name}.json`]: bundle,
    [`${name}.d.ts`]: `// Written by \`npm run generate\` from ${contract}, with openapi-typescript.\n\n${types}`,
  }
}
