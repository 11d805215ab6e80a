import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Generator } from './generator.ts'
import { bring } from './programs.ts'
import { runTool } from './run-tool.ts'
import { compileTypeScript } from './typescript.ts'

const BIN = fileURLToPath(new URL('../../../node_modules/.bin/', import.meta.url))

/** What our own client is made with; it comes with the project. */
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
  compile: async (_tool, { folder }) => {
    await bring('openapi-typescript.ts', join(folder, 'call.ts'))
    return compileTypeScript(folder, { module: 'NodeNext', allowImportingTsExtensions: true, noEmit: true })
  },
  call: (_tool, { folder, url }) => runTool(process.execPath, [join(folder, 'call.ts'), url]),
}
