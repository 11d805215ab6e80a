import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool, type Ran } from './run-tool.ts'

const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: ['node'],
}

/** Compiles `call.ts` of a folder with the strictest usual options; `options` are those of a tsconfig.json. */
export async function compileTypeScript(folder: string, options: Readonly<Record<string, unknown>>): Promise<Ran> {
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files: ['call.ts'] }),
  )
  return runTool(process.execPath, [TSC, '-p', folder])
}
