import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { homeOf, npmTool, TYPESCRIPT } from './npm-tool.ts'
import { runTool } from './run-tool.ts'
import { asCommonJs } from './typescript.ts'

const VERSION = '8.38.0'
const BIN = 'orval/dist/bin/orval.mjs'

export const orval: Generator = {
  name: 'orval',
  language: 'TypeScript',
  version: VERSION,
  reads: '3.1',
  explained: [],
  find: npmTool({
    name: 'orval',
    version: VERSION,
    packages: [`orval@${VERSION}`, 'prettier@3.10.1', TYPESCRIPT],
    bin: BIN,
  }),
  generate: async (tool, { folder, contract31, url }) => {
    const config = join(folder, 'orval.config.cjs')
    const output = { target: join(folder, 'malipo.ts'), client: 'fetch', mode: 'single', headers: true, baseUrl: url }
    await writeFile(config, `module.exports = ${JSON.stringify({ malipo: { input: contract31, output } })}\n`)
    return runTool(process.execPath, [tool, '--config', config], { cwd: homeOf(tool, BIN) })
  },
  ...asCommonJs('orval.ts'),
}
