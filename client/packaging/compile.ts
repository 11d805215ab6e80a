import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs the compiler with a configuration. @throws Error with its messages */
export function compile(config: string): void {
  const { status, stdout, error } = spawnSync('tsc', ['-p', config], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`The build fails:\n${stdout}`, { cause: error })
}

/** The compiler rewrites imports in JavaScript only, and older compilers of users resolve them literally. */
export function publishTypes(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/((?:from|import\()\s*['"]\.[^'"]*?)(?:\.d)?\.ts(?=['"])/g, '$1.js'))
}

/** The same of all types in a folder. */
export function publishAllTypes(folder: string): void {
  for (const file of globSync('**/*.d.ts', { cwd: folder })) publishTypes(join(folder, file))
}
