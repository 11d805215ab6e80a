import { spawnSync } from 'node:child_process'

/** Debian's packages that have what the build starts. */
const TOOLS = { umoci: 'umoci', 'apt-get': 'apt', 'dpkg-deb': 'dpkg', tar: 'tar', npm: 'npm' } as const

/**
 * Runs a program to its end.
 * @returns what it prints
 * @throws Error that names what to install, or with what the program says
 */
export function run(program: keyof typeof TOOLS, args: readonly string[], cwd?: string): string {
  const env = { ...process.env, LC_ALL: 'C' }
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (error !== undefined && 'code' in error && error.code === 'ENOENT')
    throw new Error(`${program} is missing: apt-get install ${TOOLS[program]} (Debian or Ubuntu)`)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr || String(error ?? stdout)}`)
  return stdout
}
