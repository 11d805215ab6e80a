import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { homeOf, lendPackages, npmTool, TYPESCRIPT } from './npm-tool.ts'
import { runTool } from './run-tool.ts'
import { asTypeScript } from './typescript.ts'

const VERSION = '7.5.0'
const BIN = 'oazapfts/dist/cli.js'

export const oazapfts: Generator = {
  name: 'oazapfts',
  language: 'TypeScript',
  version: VERSION,
  reads: '3.1',
  explained: [],
  find: npmTool({
    name: 'oazapfts',
    version: VERSION,
    packages: [`oazapfts@${VERSION}`, '@oazapfts/runtime@1.2.0', TYPESCRIPT],
    bin: BIN,
  }),
  generate: async (tool, { folder, contract31 }) => {
    // Generated clients import its runtime.
    await lendPackages(homeOf(tool, BIN), folder)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
    return runTool(process.execPath, [tool, contract31, join(folder, 'malipo.ts')])
  },
  ...asTypeScript('oazapfts.ts'),
}
