// `npm run update-schemathesis [-- 4.33.0]`: pins another Schemathesis, by default the newest, with all its dependencies, and checks that every supported Python and platform can install it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runToEnd } from '../processes.ts'
import { findPython, pythonIn, PYTHONS } from '../python.ts'

/** Resolves for all Pythons and platforms at once, which pip does not. */
const UV = 'uv==0.13.9'
const VERSIONS = ['3.10', '3.11', '3.12', '3.13', '3.14']
const PLATFORMS = ['x86_64-manylinux_2_28', 'aarch64-manylinux_2_28', 'aarch64-apple-darwin', 'x86_64-pc-windows-msvc']
const STEP_MS_MAX = 5 * 60_000

const home = fileURLToPath(new URL('..', import.meta.url))
const file = (name: string) => join(home, name)

async function update(version: string | undefined): Promise<string> {
  const python = await findPython(undefined, process.env)
  if (!python) throw new Error(`no ${PYTHONS} was found`)
  const folder = mkdtempSync(join(tmpdir(), 'schemathesis-update-'))
  try {
    await run([...python.command, '-m', 'venv', folder])
    await run([pythonIn(folder), '-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', UV])
    const uv = [pythonIn(folder), '-m', 'uv', 'pip']
    const pin = version === undefined ? '' : `==${version}`
    const input = readFileSync(file('requirements.in'), 'utf8')
    writeFileSync(file('requirements.in'), input.replace(/^schemathesis\S*/, `schemathesis${pin}`))
    const compile = 'compile --universal --python-version 3.10 --generate-hashes --no-header --upgrade --quiet'
    await run([...uv, ...compile.split(' '), '-o', 'requirements.lock', 'requirements.in'])
    const [, pinned = ''] =
      /^schemathesis==(\S+) ; python_full_version >=/m.exec(readFileSync(file('requirements.lock'), 'utf8')) ?? []
    writeFileSync(file('requirements.in'), input.replace(/^schemathesis\S*/, `schemathesis==${pinned}`))
    const install = 'install --quiet --dry-run --only-binary :all: --require-hashes -r requirements.lock'
    for (const platform of PLATFORMS)
      for (const version of VERSIONS) {
        const machine = ['--target', folder, '--python-version', version, '--python-platform', platform]
        await run([...uv, ...install.split(' '), ...machine])
      }
    return pinned
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @throws Error with its output */
async function run(command: readonly string[]): Promise<void> {
  const { SSL_CERT_FILE = process.env.PIP_CERT } = process.env
  const env = { ...process.env, SSL_CERT_FILE }
  const { code, output } = await runToEnd(command, { cwd: home, env, timeoutMs: STEP_MS_MAX })
  if (code !== 0) throw new Error(`${command.join(' ')} failed:\n${output}`)
}

const pinned = await update(process.argv[2])
console.log(
  `Schemathesis ${pinned} for Python 3.11 and later; Python ${VERSIONS.join(', ')} on ${PLATFORMS.join(', ')} can install it.
Now: npx vitest run contract-tests/schemathesis-runner-wrapper; it says which checks are new.`,
)
