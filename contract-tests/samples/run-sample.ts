import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TIME_MS_MAX = 30_000

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs lines of a shell as a reader's terminal would, and stops at the first that fails. */
export const runShell = (text: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  run('bash', ['-euo', 'pipefail', '-c', text], env)

/** Runs a TypeScript file that stands where `@malipo/client` can be found, as in a merchant's project. */
export async function runTypeScript(text: string): Promise<Ran> {
  const dist = join(ROOT, 'dist')
  await mkdir(dist, { recursive: true })
  const folder = await mkdtemp(join(dist, 'sample-'))
  try {
    const file = join(folder, 'sample.ts')
    await writeFile(file, text)
    return await run(process.execPath, [file], {})
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Nothing of the environment but the path: a proxy or a key of the person who runs the tests must not decide. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const { PATH = '' } = process.env
  return new Promise((resolve) => {
    execFile(program, args, { cwd: ROOT, env: { PATH, ...env }, timeout: TIME_MS_MAX }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr })
    })
  })
}
