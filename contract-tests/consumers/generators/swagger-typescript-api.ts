import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { homeOf, npmTool } from './npm-tool.ts'
import { runTool, words } from './run-tool.ts'
import { asCommonJs } from './typescript.ts'

const VERSION = '13.13.0'
const BIN = 'swagger-typescript-api/dist/cli.mjs'

export const swaggerTypescriptApi: Generator = {
  name: 'swagger-typescript-api',
  language: 'TypeScript',
  version: VERSION,
  reads: '3.1',
  explained: [],
  find: npmTool({
    name: 'swagger-typescript-api',
    version: VERSION,
    packages: [`swagger-typescript-api@${VERSION}`],
    bin: BIN,
  }),
  generate: async (tool, { folder, contract31 }) => {
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }\n')
    return runTool(process.execPath, [tool, ...words('generate -n malipo.ts -p'), contract31, '-o', folder], {
      cwd: homeOf(tool, BIN),
    })
  },
  ...asCommonJs('swagger-typescript-api.ts'),
}
