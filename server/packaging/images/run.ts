import { spawnSync } from 'node:child_process'

/** Debian's packages that have what the build starts. */
const TOOLS = { umoci: 'umoci', 'apt-get': 'apt', 'dpkg-deb': 'dpkg', tar: 'tar', npm: 'npm' } as const

/** @throws Error that names what to install */
export function checkTools(): void {
  const missing = Object.entries(TOOLS).filter(([program]) => spawnSync(program, ['--version']).error !== undefined)
  if (missing.length === 0) return
  const packages = missing.map(([, name]) => name).join(' ')
  throw new Error(
    `${missing.map(([program]) => program).join(', ')} is missing: apt-get install ${packages} (Debian, Ubuntu)`,
  )
}

/** Runs a program to its end. @returns what it prints. @throws Error with what it says */
export function run(program: keyof typeof TOOLS, args: readonly string[], cwd?: string): string {
  const env = { ...process.env, LC_ALL: 'C' }
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr || String(error ?? stdout)}`)
  return stdout
}
