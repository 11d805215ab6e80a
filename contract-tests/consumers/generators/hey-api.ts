import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { homeOf, npmTool, TYPESCRIPT } from './npm-tool.ts'
import { runTool } from './run-tool.ts'
import { asCommonJs } from './typescript.ts'

const VERSION = '0.99.0'
const BIN = '@hey-api/openapi-ts/bin/run.js'

export const heyApi: Generator = {
  name: 'hey-api',
  language: 'TypeScript',
  version: VERSION,
  reads: '3.1',
  explained: [],
  find: npmTool({
    name: 'hey-api',
    version: VERSION,
    packages: [`@hey-api/openapi-ts@${VERSION}`, TYPESCRIPT],
    bin: BIN,
  }),
  generate: (tool, { folder, contract31 }) =>
    runTool(process.execPath, [tool, '-i', contract31, '-o', join(folder, 'malipo')], { cwd: homeOf(tool, BIN) }),
  ...asCommonJs('hey-api.ts'),
}
