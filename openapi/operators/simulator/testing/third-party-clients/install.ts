import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Third-party clients are installed apart from our own packages, once, exactly as their lock files say: their
// dependencies are old, and nobody who installs Malipo should get them.

/** Where a third-party client is installed, or in one line why it is not. */
type ThirdPartyClient = { readonly folder: string } | { readonly unavailable: string }

interface InstallResult {
  readonly code: number
  readonly output: string
}

const INSTALL_MS_MAX = 4 * 60_000
const PIP =
  'install --quiet --disable-pip-version-check --no-input --retries 1 --timeout 15 --only-binary :all: --require-hashes -r'

/** A package of npm; `folder` is where to require it from. */
export const npmThirdParty = (name: string): Promise<ThirdPartyClient> =>
  thirdPartyIn(name, 'package-lock.json', async (folder) => {
    const ran = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
    return ran.code === 0 ? undefined : `npm could not install it: ${lastLine(ran.output)}`
  })

/** A package of PyPI; `folder/venv/bin/python` has it. */
export const pythonThirdParty = (name: string): Promise<ThirdPartyClient> =>
  thirdPartyIn(name, 'requirements.lock', async (folder) => {
    const venv = join(folder, 'venv')
    // Debian ships venv without ensurepip; the system's pip can fill the environment as well.
    const made = await run('python3', ['-m', 'venv', '--without-pip', venv], folder)
    if (made.code !== 0) return `no virtual environment: ${lastLine(made.output)}`
    const pip = ['-m', 'pip', '--python', join(venv, 'bin', 'python'), ...PIP.split(' '), 'requirements.lock']
    const ran = await run('python3', pip, folder)
    return ran.code === 0 ? undefined : `pip could not install it: ${lastLine(ran.output)}`
  })

async function thirdPartyIn(
  name: string,
  lock: string,
  fill: (folder: string) => Promise<string | undefined>,
): Promise<ThirdPartyClient> {
  const source = fileURLToPath(new URL(name, import.meta.url))
  const digest = createHash('sha256')
    .update(await readFile(join(source, lock)))
    .digest('hex')
    .slice(0, 12)
  const root = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'malipo-strangers')
  const folder = join(root, `${name}-${digest}`)
  if (existsSync(folder)) return { folder }
  // Built beside its place and renamed there: no run, killed or not, leaves half of it.
  const draft = `${folder}.${randomUUID()}`
  await mkdir(root, { recursive: true })
  await cp(source, draft, { recursive: true })
  const unavailable = await fill(draft)
  if (unavailable === undefined)
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  await rm(draft, { recursive: true, force: true })
  return unavailable === undefined ? { folder } : { unavailable }
}

/** Without npm's settings of the current run, and without another Python's packages. */
const cleanEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|PYTHON|VIRTUAL_ENV)/i.test(name)))

/** @returns code -1 when it could not be started */
export const run = (command: string, args: readonly string[], cwd: string): Promise<InstallResult> =>
  new Promise((resolve) => {
    const options = { cwd, env: cleanEnv(), timeout: INSTALL_MS_MAX }
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : -1
      resolve({ code: error === null ? 0 : code, output: `${stdout}${stderr}` })
    })
  })

const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? ''
