import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Generator } from './generator.ts'
import { runTool } from './run-tool.ts'
import { asTypeScript } from './typescript.ts'

const BIN = fileURLToPath(new URL('../../../node_modules/.bin/', import.meta.url))

/** The generator of our own client; it is a dependency of the project. */
export const openapiTypescript: Generator = {
  name: 'openapi-typescript',
  language: 'TypeScript',
  version: '7.13.0',
  reads: '3.1',
  explained: [],
  find: async () => ({ tool: join(BIN, 'openapi-typescript') }),
  generate: async (tool, { folder, contract31 }) => {
    await mkdir(folder, { recursive: true })
    return runTool(tool, [contract31, '-o', join(folder, 'schema.d.ts'), '--default-non-nullable', 'false'])
  },
  ...asTypeScript('openapi-typescript.ts'),
}
