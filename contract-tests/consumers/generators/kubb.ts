import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { homeOf, lendPackages, npmTool, TYPESCRIPT } from './npm-tool.ts'
import { runTool, words } from './run-tool.ts'
import { asTypeScript } from './typescript.ts'

/** The newest version for which all of its plugins exist. */
const VERSION = '4.39.3'
const BIN = '@kubb/cli/bin/kubb.cjs'
const PACKAGES = 'cli core plugin-oas plugin-ts plugin-client'

export const kubb: Generator = {
  name: 'kubb',
  language: 'TypeScript',
  version: VERSION,
  reads: '3.1',
  explained: [],
  find: npmTool({
    name: 'kubb',
    version: VERSION,
    packages: [...words(PACKAGES).map((name) => `@kubb/${name}@${VERSION}`), TYPESCRIPT],
    bin: BIN,
  }),
  generate: async (tool, { folder, contract31 }) => {
    await lendPackages(homeOf(tool, BIN), folder)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
    await writeFile(join(folder, 'kubb.config.mjs'), configOf(contract31))
    return runTool(process.execPath, [tool, 'generate', '--config', 'kubb.config.mjs'], {
      cwd: folder,
      env: { DO_NOT_TRACK: '1' },
    })
  },
  ...asTypeScript('kubb.ts'),
}

/** `bundle` includes the client's own code, so that the generated code has no dependency. */
const configOf = (contract: string): string => `import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  root: '.',
  input: { path: ${JSON.stringify(contract)} },
  output: { path: './malipo', clean: true, format: false, lint: false },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch', bundle: true, paramsType: 'object' })],
})
`
