import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached } from './cache.ts'
import type { Generator } from './generator.ts'
import { bring } from './programs.ts'
import { runTool, words } from './run-tool.ts'
import { compileTypeScript } from './typescript.ts'

const VERSION = '0.99.0'

export const heyApi: Generator = {
  name: 'hey-api',
  language: 'TypeScript',
  version: VERSION,
  reads: '3.1',
  explained: [],
  find: ({ cache, install }) =>
    cached({
      cache,
      install,
      name: `hey-api-${VERSION}`,
      tool: 'node_modules/@hey-api/openapi-ts/bin/run.js',
      fill: async (folder) => {
        await mkdir(folder, { recursive: true })
        await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
        const packages = [`@hey-api/openapi-ts@${VERSION}`, 'typescript@5.9.3']
        return runTool('npm', [...words('install --silent --ignore-scripts --prefix'), folder, ...packages])
      },
    }),
  generate: (tool, { folder, contract31 }) =>
    runTool(process.execPath, [tool, '-i', contract31, '-o', join(folder, 'malipo')], {
      cwd: join(tool, '../../../..'),
    }),
  compile: async (_tool, { folder }) => {
    await bring('hey-api.ts', join(folder, 'call.ts'))
    // What it generates imports without file endings: Node runs that only once it is compiled.
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }\n')
    return compileTypeScript(folder, { module: 'CommonJS', moduleResolution: 'Node10', outDir: 'compiled' })
  },
  call: (_tool, { folder, url }) => runTool(process.execPath, [join(folder, 'compiled', 'call.js'), url]),
}
