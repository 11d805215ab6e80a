import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Generator } from './generator.ts'
import { bring } from './programs.ts'
import { runTool, type ToolResult } from './run-tool.ts'

const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: ['node'],
}

/** How a TypeScript client is compiled and run. */
type Steps = Pick<Generator, 'compile' | 'call'>

/** Node runs `call.ts` directly: the client imports with file endings and has erasable types only. */
export const asTypeScript = (program: string): Steps => ({
  compile: async (_tool, { folder }) => {
    await bring(program, join(folder, 'call.ts'))
    return compile(folder, { module: 'NodeNext', allowImportingTsExtensions: true, noEmit: true })
  },
  call: (_tool, { folder, url }) => runTool(process.execPath, [join(folder, 'call.ts'), url]),
})

/** Node runs only compiled code: the client imports without file endings, or has enums. */
export const asCommonJs = (program: string): Steps => ({
  compile: async (_tool, { folder }) => {
    await bring(program, join(folder, 'call.ts'))
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }\n')
    return compile(folder, { module: 'CommonJS', moduleResolution: 'Node10', outDir: 'compiled' })
  },
  call: (_tool, { folder, url }) => runTool(process.execPath, [join(folder, 'compiled', 'call.js'), url]),
})

/** Compiles `call.ts` of a folder with the strictest usual options; `options` are those of a tsconfig.json. */
async function compile(folder: string, options: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files: ['call.ts'] }),
  )
  return runTool(process.execPath, [TSC, '-p', folder])
}
